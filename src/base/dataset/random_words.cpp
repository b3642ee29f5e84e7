#include "random_words.h"

namespace sdbench {

std::uint32_t RandomWords::next() {
  if (used_ == 4 * kPhiloxLanes) {
    philox4x32(key_, stream_, block_, words_);
    block_ += kPhiloxLanes;
    used_ = 0;
  }
  const std::uint32_t word = words_[used_ / kPhiloxLanes][used_ % kPhiloxLanes];
  ++used_;
  return word;
}

std::uint32_t RandomWords::below(std::uint32_t bound) {
  std::uint64_t product = std::uint64_t{next()} * bound;
  if (static_cast<std::uint32_t>(product) < bound) {
    // Number of the 2^32 words to reject so that all numbers are equally likely.
    const std::uint32_t surplus = (0U - bound) % bound;
    while (static_cast<std::uint32_t>(product) < surplus) {
      product = std::uint64_t{next()} * bound;
    }
  }
  return static_cast<std::uint32_t>(product >> 32);
}

std::int32_t RandomWords::between(std::int32_t least, std::int32_t most) {
  return least + static_cast<std::int32_t>(below(static_cast<std::uint32_t>(most - least) + 1));
}

} // namespace sdbench
