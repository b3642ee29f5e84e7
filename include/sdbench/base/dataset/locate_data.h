#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "sdbench/base/dataset/dataset.h"

namespace sdbench {

/// Where training data come from.
struct DataLocation {
  enum class Kind { kCifar10, kSynthetic };
  Kind kind = Kind::kSynthetic;
  std::filesystem::path path = {}; ///< CIFAR-10 only: the folder of its batch files
  std::int64_t count = 0;          ///< synthetic only: number of training images
  /// True: synthetic data are used because the user named no data. Messages must say so.
  bool fallback = false;
  std::string description = {}; ///< for people: "synthetic:50000", a path
  std::string variable = {}; ///< environment variable that named the path; empty if no variable did
};

/// Finds the training data for --data. `asked` is a path that find_cifar10 (cifar10.h) accepts,
/// "synthetic[:N]" or empty. N is the number of training images, by default 50,000 as in CIFAR-10.
/// If `asked` is empty, the environment variable SDBENCH_DATA takes its place. If both are empty,
/// the data are synthetic and `fallback` is true. Throws the errors of find_cifar10, and UsageError
/// if N is not a valid number of synthetic images (synthetic_dataset.h).
[[nodiscard]] DataLocation locate_data(const std::string& asked);

/// The location that is recorded in a row if the requested data could not be read. Its description
/// is the requested path; its other members keep their defaults.
[[nodiscard]] DataLocation unread_data(const std::string& asked);

/// Reads or generates the data set of a location.
[[nodiscard]] Dataset load_dataset(const DataLocation& location);

} // namespace sdbench
