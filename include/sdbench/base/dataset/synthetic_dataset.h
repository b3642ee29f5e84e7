#pragma once

#include <cstdint>

#include "sdbench/base/dataset/dataset.h"

namespace sdbench {

inline constexpr std::int64_t kLeastSyntheticImages = 10;
inline constexpr std::int64_t kMostSyntheticImages = 1'000'000;

/// Synthetic images in CIFAR-10's form (three channels of 32 x 32, ten classes) that a network can
/// learn: `count` for training, and a fifth of it, at least 10, for testing. Each class is a
/// texture, a sum of coloured waves. Each image shows it shifted by any number of pixels around the
/// edges, in another contrast and brightness, under noise. So no single pixel shows the class, and
/// a linear model of the pixels learns little. The classes are as equal in number as possible, in a
/// shuffled order. Uses only Philox's words (philox.h) and integer arithmetic, so the bits are the
/// same on every machine. The textures do not depend on `count`. Throws UsageError for a count
/// outside kLeastSyntheticImages to kMostSyntheticImages.
[[nodiscard]] Dataset synthetic_dataset(std::int64_t count);

} // namespace sdbench
