#pragma once

#include <c10/core/ScalarType.h>

#include "sdbench/base/core/dtype.h"

namespace sdbench {

/// The same element type in ATen's and in our words. to_dtype throws Error for a type that occurs
/// in no weights.
[[nodiscard]] at::ScalarType to_scalar_type(Dtype dtype);
[[nodiscard]] Dtype to_dtype(at::ScalarType type);

} // namespace sdbench
