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

/// Chooses the cell's device, calls gather_threads(), place_threads() and set_engine_switches().
/// Fills in the device and the number of threads in `result`, and reports the device to the
/// observer. Throws Error if the device is missing.
[[nodiscard]] CellPlace take_place(const Cell& cell, ExecutorObserver& observer,
                                   CellResult& result);

/// Sends a note if the cell will take long on a CPU. Call it before the load, which itself may take
/// a minute. `type`: the dtype of the arithmetic. May measure the processor's FLOP/s. Calls
/// `looked` after that, so that the caller need not count this time as load time.
void tell_expected_time(const Cell& cell, ExecutorObserver& observer, c10::Device device,
                        c10::ScalarType type, const std::function<void()>& looked);

} // namespace sdbench
