#include "sdbench/front/bench/version_numbers.h"

#include <charconv>
#include <system_error>

#include "sdbench/base/text/listed.h"

namespace sdbench {

std::vector<int> version_numbers(std::string_view version) {
  std::vector<int> numbers;
  for (const std::string_view part : split(version, '.')) {
    int number = 0;
    const auto [rest, problem] = std::from_chars(part.data(), part.data() + part.size(), number);
    if (problem != std::errc()) {
      break;
    }
    numbers.push_back(number);
    if (rest != part.data() + part.size()) {
      break;
    }
  }
  return numbers;
}

} // namespace sdbench
