#pragma once

#include <cstdint>

#include "sdbench/base/dataset/dataset.h"

namespace sdbench {

/// Smallest and largest number of training images.
inline constexpr std::int64_t kLeastSyntheticImages = 10;
inline constexpr std::int64_t kMostSyntheticImages = 1'000'000;

/// Generates synthetic images in CIFAR-10's form (three channels of 32 x 32, ten classes) that a
/// network can learn. There are `count` images for training, and a fifth of that number, but at
/// least 10, for testing.
/// - Each class has a texture of its own, which is a sum of coloured waves.
/// - Each image shows its texture shifted by any number of pixels (with wrap-around), with varied
/// contrast and brightness, and with noise. Therefore no single pixel reveals the class, and a
/// linear model of the pixels learns little.
/// - The classes have equal numbers of images, as far as possible, in a shuffled order.
/// Uses only Philox (philox.h) and integer arithmetic, so the bits are the same on every machine.
/// The textures do not depend on `count`. Throws UsageError if `count` is not from
/// kLeastSyntheticImages to kMostSyntheticImages.
[[nodiscard]] Dataset synthetic_dataset(std::int64_t count);

} // namespace sdbench
