#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sdbench/base/types/dtype.h"

namespace sdbench {

/// A read-only view of one tensor in a memory-mapped file. The SafetensorsFile must outlive it.
struct TensorView {
  Dtype dtype = Dtype::kF32;
  std::vector<std::int64_t> shape; ///< shape of the tensor as it is used, see `transposed`
  /// The elements, contiguous and row-major; if `transposed`, those of the transposed matrix. The
  /// span may start at any byte, because some files have unpadded headers. Check the alignment
  /// before you read elements in place.
  std::span<const std::byte> data;
  /// True: `data` contain a matrix of shape[1] rows and shape[0] columns. Only for 2-D tensors
  /// (text_projection of CompVis and SGM files).
  bool transposed = false;
};

using TensorMap = std::map<std::string, TensorView>;

/// A range of neighbouring tensors in a TensorMap. The map must outlive the range.
struct TensorRange {
  TensorMap::const_iterator first;
  TensorMap::const_iterator last;

  [[nodiscard]] TensorMap::const_iterator begin() const { return first; }
  [[nodiscard]] TensorMap::const_iterator end() const { return last; }
};

/// The tensors whose names begin with `prefix`.
[[nodiscard]] inline TensorRange tensors_below(const TensorMap& tensors, std::string_view prefix) {
  const auto first = tensors.lower_bound(std::string(prefix));
  return {first, std::find_if_not(first, tensors.end(),
                                  [&](const auto& one) { return one.first.starts_with(prefix); })};
}

/// True if any tensor's name begins with `prefix`.
[[nodiscard]] inline bool has_prefix(const TensorMap& tensors, std::string_view prefix) {
  const auto first = tensors.lower_bound(std::string(prefix));
  return first != tensors.end() && first->first.starts_with(prefix);
}

} // namespace sdbench
