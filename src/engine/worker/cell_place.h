#pragma once

#include <functional>

#include <c10/core/Device.h>
#include <c10/core/ScalarType.h>

#include "sdbench/base/executor/executor.h"
#include "sdbench/base/plan/cell.h"

namespace sdbench {

/// Where a cell runs.
struct CellPlace {
  c10::Device device = c10::Device(c10::kCPU);
  bool has_bf16 = false;
};

/// Chooses the cell's device, gathers and places the threads, and sets libtorch's switches. Fills
/// in `result` what a row says of the device, and tells the observer. Throws Error for a device
/// that is not there.
[[nodiscard]] CellPlace take_place(const Cell& cell, ExecutorObserver& observer,
                                   CellResult& result);

/// Tells, before a load that may take a minute itself, of a cell that will take long on a CPU.
/// `type`: of its arithmetic. `looked`: called after a look at the processor's rate, which is no
/// part of the load.
void tell_expected_time(const Cell& cell, ExecutorObserver& observer, c10::Device device,
                        c10::ScalarType type, const std::function<void()>& looked);

} // namespace sdbench
