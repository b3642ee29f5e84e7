#pragma once

#include "sdbench/base/weights/tensor_view.h"

namespace sdbench {

/// Whether two sets of weights are one, as far as a few values of some tensors tell: the same names
/// and shapes, and values that differ by no more than the rounding of the coarser dtype. Weights of
/// another training differ nearly everywhere, and to look at all of them would take as long as to
/// load them.
[[nodiscard]] bool have_same_values(const TensorMap& one, const TensorMap& other);

} // namespace sdbench
