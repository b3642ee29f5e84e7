#include "sdbench/front/terminal/ask.h"

#include <iostream>

#include <unistd.h>

namespace sdbench {

bool can_ask() {
  return ::isatty(STDIN_FILENO) != 0 && ::isatty(STDERR_FILENO) != 0;
}

bool says_yes(const std::string& question, const Streams& streams) {
  streams.err << "sdbench: " << question << " [y/N] " << std::flush;
  std::string answer;
  std::getline(std::cin, answer);
  return answer == "y" || answer == "Y" || answer == "yes";
}

} // namespace sdbench
