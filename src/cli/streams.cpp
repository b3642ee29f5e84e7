#include "sdbench/cli/streams.h"

#include <cstdlib>
#include <iostream>
#include <string_view>

#include <poll.h>
#include <unistd.h>

namespace sdbench {
namespace {

std::string_view environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view() : std::string_view(value);
}

/// The far end of a pipe or a socket is closed.
bool is_nobody_reading() {
  pollfd out{STDOUT_FILENO, POLLOUT, 0};
  return ::poll(&out, 1, 0) == 1 && (out.revents & (POLLERR | POLLHUP)) != 0;
}

} // namespace

bool is_reader_gone(const Streams& streams) {
  return !streams.out && streams.reader_gone != nullptr && streams.reader_gone();
}

Streams standard_streams() {
  const bool capable = environment("TERM") != "dumb";
  const bool colour = capable && environment("NO_COLOR").empty();
  return {std::cout, std::cerr, colour && ::isatty(STDOUT_FILENO) == 1,
          capable && ::isatty(STDERR_FILENO) == 1, is_nobody_reading};
}

} // namespace sdbench
