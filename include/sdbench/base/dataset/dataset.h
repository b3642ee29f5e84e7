#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace sdbench {

/// Labelled images of one shape, as bytes.
struct LabelledImages {
  std::int64_t count = 0;
  std::int64_t channels = 3;
  std::int64_t height = 32;
  std::int64_t width = 32;
  std::vector<std::uint8_t> pixels; ///< [count, channels, height, width]; red, green, blue
  std::vector<std::uint8_t> labels; ///< [count], from 0 to the data set's class_count - 1
};

/// Images for training and testing a network.
struct Dataset {
  std::string name; ///< "cifar10", "synthetic:50000"
  LabelledImages train;
  LabelledImages test;
  std::int64_t class_count = 10;
  /// [channels], of the training images' values from 0 to 1. A deviation is never 0: it is 1 for a
  /// constant channel.
  std::vector<float> mean;
  std::vector<float> std;
};

/// Text like "cifar10:d41d8cd98f00b204": the name, and the first 16 digits of a SHA-256 of all
/// images and labels, independent of the form on disk. Reads all bytes: about a second for
/// CIFAR-10.
[[nodiscard]] std::string identity_of(const Dataset& dataset);

/// Computes mean and std from the images.
void fill_facts(Dataset& dataset);

} // namespace sdbench
