#pragma once

#include <cstddef>
#include <cstdint>

#include "sdbench/base/weights/philox.h"

namespace sdbench {

/// The 32-bit numbers of one Philox stream (philox.h), in order.
class RandomWords {
public:
  RandomWords(std::uint64_t key, std::uint64_t stream) : key_(key), stream_(stream) {}

  [[nodiscard]] std::uint32_t next();
  /// A whole number from 0 to `bound` - 1; all are equally likely. `bound` must not be 0. Source:
  /// Lemire, "Fast random integer generation in an interval", ACM TOMACS 29, 2019.
  [[nodiscard]] std::uint32_t below(std::uint32_t bound);
  /// The same from `least` to `most`, both included.
  [[nodiscard]] std::int32_t between(std::int32_t least, std::int32_t most);

private:
  std::uint64_t key_;
  std::uint64_t stream_;
  std::uint64_t block_ = 0;             ///< index of the block for the next words
  std::size_t used_ = 4 * kPhiloxLanes; ///< words of `words_` that were returned
  PhiloxBlocks words_{};
};

} // namespace sdbench
