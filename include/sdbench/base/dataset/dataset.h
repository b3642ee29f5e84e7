#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace sdbench {

/// Labelled images of one shape, with one byte per channel of a pixel.
struct LabelledImages {
  std::int64_t count = 0;
  std::int64_t channels = 3;
  std::int64_t height = 32;
  std::int64_t width = 32;
  /// [count, channels, height, width]; channels are red, green, blue.
  std::vector<std::uint8_t> pixels;
  std::vector<std::uint8_t> labels; ///< [count], from 0 to the data set's class_count - 1
};

/// A data set: images for training and for testing an image classifier.
struct Dataset {
  std::string name; ///< "cifar10", "synthetic:50000"
  LabelledImages train;
  LabelledImages test;
  std::int64_t class_count = 10;
  /// Mean and standard deviation, per channel, of the training images' pixel values divided by 255.
  /// The standard deviation of a constant channel is set to 1, so that it is never 0.
  std::vector<float> mean;
  std::vector<float> std;
};

/// Identity of a data set's content, such as "cifar10:d41d8cd98f00b204": the name, and the first 16
/// digits of a SHA-256 of all images and labels. The identity does not depend on the file format.
/// Reads all bytes, which takes about a second for CIFAR-10.
[[nodiscard]] std::string identity_of(const Dataset& dataset);

/// Computes the data set's `mean` and `std` from its training images.
void fill_facts(Dataset& dataset);

} // namespace sdbench
