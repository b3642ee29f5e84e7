#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sdbench {

inline constexpr std::size_t kBatchImageBytes = 3072; ///< bytes of an image: 3 channels of 32 x 32

/// One batch file of CIFAR-10 in Python's form (a pickle).
struct PickledBatch {
  /// The images: [labels.size(), kBatchImageBytes]. The view points into the pickle itself, or into
  /// `texts` if the bytes had to be converted: some pickle protocols write bytes as text, and an
  /// array may be in column order.
  std::string_view pixels;
  std::vector<std::int64_t> labels; ///< one per image; any whole numbers, not checked
  /// Owns converted bytes that `pixels` may point into.
  std::shared_ptr<const std::deque<std::string>> texts;
};

/// Reads a pickle that contains a dict with "data" and "labels", in pickle protocols 0 to 5, as
/// Python 2 and 3 write them.
/// - "data" is a numpy array of uint8, [N, 3072]; N is at least 1.
/// - "labels" is a list, a tuple or an array of N whole numbers (Python's int or numpy's types).
/// - Other entries are ignored; they may also contain floats, sets and long integers.
/// Never executes code from the pickle. Implements only the instructions that such files need. The
/// pickle may call only functions that create numpy arrays, numbers, bytes or sets; sdbench builds
/// their results itself. Throws Error with `file` and the position in it for any other instruction,
/// any other function (which the error names), a truncated pickle, and CIFAR-100. Format: Python's
/// Lib/pickletools.py.
[[nodiscard]] PickledBatch read_pickled_batch(std::string_view pickle, const std::string& file);

} // namespace sdbench
