#include "sdbench/cli/streams.h"

#include <cstdlib>
#include <iostream>
#include <string_view>

#include <unistd.h>

namespace sdbench {
namespace {

std::string_view environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view() : std::string_view(value);
}

} // namespace

Streams standard_streams() {
  const bool capable = environment("TERM") != "dumb";
  const bool colour = capable && environment("NO_COLOR").empty();
  return {std::cout, std::cerr, colour && ::isatty(STDOUT_FILENO) == 1,
          capable && ::isatty(STDERR_FILENO) == 1};
}

} // namespace sdbench
