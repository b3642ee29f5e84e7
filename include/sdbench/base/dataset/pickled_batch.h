#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sdbench {

inline constexpr std::size_t kBatchImageBytes = 3072; ///< 3 channels of 32 x 32

/// A batch of CIFAR-10 in Python's form.
struct PickledBatch {
  /// [labels.size(), kBatchImageBytes], in the pickle itself, or in `texts` if the protocol writes
  /// bytes as text or the array is in column order.
  std::string_view pixels;
  std::vector<std::int64_t> labels; ///< any whole numbers
  std::shared_ptr<const std::deque<std::string>> texts;
};

/// Reads the pickle of a dict with "data" and "labels", in the pickle protocols 0 to 5, as Python 2
/// and 3 write them. "data" is a numpy array of uint8, [N, 3072], N from 1. "labels" are N whole
/// numbers: a list, a tuple or an array of them, Python's or numpy's. Never executes code: it knows
/// only the instructions of such files, and of calls only those that make a numpy array or number,
/// bytes from a str, or a set; it makes these itself. Values that it does not need may also be
/// floats, sets and long numbers. Throws Error, with `file` and the place in it, for every other
/// instruction, for every other global by its name, for a truncated pickle, and for CIFAR-100.
/// Form: Python's Lib/pickletools.py.
[[nodiscard]] PickledBatch read_pickled_batch(std::string_view pickle, const std::string& file);

} // namespace sdbench
