#pragma once

#include <algorithm>
#include <cstdint>

namespace sdbench {

/// A range of consecutive things, counted from 0.
struct EvenPart {
  std::int64_t first = 0;
  std::int64_t count = 0;
};

/// Part `number`, from 0, of `count` things in `parts` parts that are as equal as possible: the
/// first ones may have one more.
[[nodiscard]] constexpr EvenPart even_part(std::int64_t count, std::int64_t number,
                                           std::int64_t parts) {
  const std::int64_t each = count / parts;
  const std::int64_t rest = count % parts;
  return {number * each + std::min(number, rest), each + (number < rest ? 1 : 0)};
}

} // namespace sdbench
