#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "sdbench/base/dataset/dataset.h"

namespace sdbench {

/// The source of training data.
struct DataLocation {
  enum class Kind { kCifar10, kSynthetic };
  Kind kind = Kind::kSynthetic;
  std::filesystem::path path; ///< CIFAR-10 only: the folder that holds its batches
  std::int64_t count = 0;     ///< synthetic only: images to train with
  bool fallback = false;      ///< synthetic because nothing was named: the user must be told loudly
  std::string description;    ///< for people: "synthetic:50000", a path
  std::string variable;       ///< environment variable that led here; empty if none
};

/// Resolves --data. `asked`: a path for find_cifar10 (cifar10.h), "synthetic[:N]" or empty. The
/// default of N is the number of CIFAR-10's images, 50,000. If empty: SDBENCH_DATA, with the same
/// values, else synthetic with fallback = true. Throws the errors of find_cifar10, and UsageError
/// for an N that is not a valid count of synthetic images (synthetic_dataset.h).
[[nodiscard]] DataLocation locate_data(const std::string& asked);

/// The location that a row records for requested data that could not be read: only the requested
/// path, without a count.
[[nodiscard]] DataLocation unread_data(const std::string& asked);

/// Reads or generates the data of a location.
[[nodiscard]] Dataset load_dataset(const DataLocation& location);

} // namespace sdbench
