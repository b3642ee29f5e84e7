#pragma once

#include "sdbench/base/weights/tensor_view.h"

namespace sdbench {

/// True if two sets of weights seem equal. Compares only a few values of some tensors. Both sets
/// must have the same names and shapes, and the values may differ by at most the rounding of the
/// coarser dtype. Weights of another training differ nearly everywhere, and comparing all would
/// take as long as loading.
[[nodiscard]] bool have_same_values(const TensorMap& one, const TensorMap& other);

} // namespace sdbench
