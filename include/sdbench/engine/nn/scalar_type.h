#pragma once

#include <c10/core/ScalarType.h>

#include "sdbench/base/types/dtype.h"

namespace sdbench {

/// Convert between our element types and ATen's. to_dtype() throws Error for a type that weights
/// cannot have.
[[nodiscard]] at::ScalarType to_scalar_type(Dtype dtype);
[[nodiscard]] Dtype to_dtype(at::ScalarType type);

} // namespace sdbench
