#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sdbench/core/dtype.h"

namespace sdbench {

/// A read-only look at one tensor inside a memory-mapped file. Valid while the file object lives.
struct TensorView {
  Dtype dtype = Dtype::kF32;
  std::vector<std::int64_t> shape; ///< logical shape
  std::span<const std::byte> data; ///< contiguous, row-major; of the *transposed* matrix if `transposed`
  bool transposed = false;         ///< 2-D only: data hold shape[1] x shape[0] (CompVis/SGM text_projection)
};

} // namespace sdbench
