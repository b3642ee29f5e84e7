#include "sdbench/front/bench/version_numbers.h"

#include <charconv>
#include <system_error>

namespace sdbench {

std::vector<int> version_numbers(std::string_view version) {
  std::vector<int> numbers;
  const char* at = version.data();
  const char* const end = at + version.size();
  for (int number = 0; at < end; ++at) {
    const auto [rest, problem] = std::from_chars(at, end, number);
    if (problem != std::errc()) {
      break;
    }
    numbers.push_back(number);
    at = rest;
    if (at == end || *at != '.') {
      break;
    }
  }
  return numbers;
}

} // namespace sdbench
