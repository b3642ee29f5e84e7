#pragma once

#include <c10/core/ScalarType.h>

namespace sdbench {

/// FLOP/s of this processor, of matrices in `dtype` as large as a UNet's, looked at for less than a
/// second with the threads that libtorch has.
[[nodiscard]] double product_rate(c10::ScalarType dtype);

} // namespace sdbench
