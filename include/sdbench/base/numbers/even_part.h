#pragma once

#include <algorithm>
#include <cstdint>

namespace sdbench {

/// A range of consecutive items.
struct EvenPart {
  std::int64_t first = 0; ///< index of the first item, from 0
  std::int64_t count = 0;
};

/// Divides `count` items into `parts` parts that are as equal as possible, and returns the part
/// with index `number` (the first is 0). The first parts may have one item more than the others.
[[nodiscard]] constexpr EvenPart even_part(std::int64_t count, std::int64_t number,
                                           std::int64_t parts) {
  const std::int64_t each = count / parts;
  const std::int64_t rest = count % parts;
  return {number * each + std::min(number, rest), each + (number < rest ? 1 : 0)};
}

} // namespace sdbench
