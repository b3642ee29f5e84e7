#pragma once

#include <functional>
#include <string>

#include <c10/core/ScalarType.h>

#include "sdbench/plan/cell.h"

namespace sdbench {

/// FLOP/s of this processor, of matrices in `dtype` as large as a UNet's, looked at for less than a
/// second with the threads that libtorch has.
[[nodiscard]] double product_rate(c10::ScalarType dtype);

/// What is told of a cell that will take many minutes on a processor, before anything is loaded: by
/// its counted arithmetic and `rate`, which is asked for only where the count makes it likely.
/// Empty of a shorter one.
[[nodiscard]] std::string expected_time_note(const Cell& cell, const std::function<double()>& rate);

} // namespace sdbench
