#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sdbench/base/types/dtype.h"

namespace sdbench {

/// A read-only view of one tensor inside a memory-mapped file. Valid while the file object lives.
struct TensorView {
  Dtype dtype = Dtype::kF32;
  std::vector<std::int64_t> shape; ///< logical shape
  /// Contiguous, row-major; of the *transposed* matrix if `transposed`. May start at any byte,
  /// because some files have unpadded headers: check the alignment before reading elements in
  /// place.
  std::span<const std::byte> data;
  bool transposed =
      false; ///< 2-D only: data hold shape[1] x shape[0] (CompVis/SGM text_projection)
};

using TensorMap = std::map<std::string, TensorView>;

/// True if any tensor's name begins with `prefix`.
[[nodiscard]] inline bool has_prefix(const TensorMap& tensors, std::string_view prefix) {
  const auto first = tensors.lower_bound(std::string(prefix));
  return first != tensors.end() && first->first.starts_with(prefix);
}

} // namespace sdbench
