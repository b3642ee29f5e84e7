#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sdbench/base/plan/cell.h"

namespace sdbench {

/// The part of the machine that a worker sees and may use: only the cell's own device, so that no
/// cell can use the device of a different cell. A worker keeps its seat for life, so a different
/// seat needs a different worker.
struct WorkerSeat {
  std::optional<std::string> cuda_visible_devices; ///< nullopt: as in our environment
  std::vector<int> cores;                          ///< core numbers; empty: all usable cores

  friend bool operator==(const WorkerSeat&, const WorkerSeat&) = default;
};

/// The seat for a cell's device. `visible`: this process's CUDA_VISIBLE_DEVICES, or nullptr if it
/// is not set. If the variable is set, cuda:N means its entry number N, counted from 0. `cores`:
/// the cores that this process may use, see usable_cores.
[[nodiscard]] WorkerSeat seat_of(const Cell& cell, const char* visible,
                                 const std::vector<int>& cores);

/// True if this CUDA_VISIBLE_DEVICES (nullptr: not set) hides every GPU of the machine.
[[nodiscard]] bool hides_all_gpus(const char* visible);

/// The name of `device` inside its worker: cuda:0 for cuda:N, and cpu for cpu:K. Intel GPUs keep
/// their names, because a seat does not hide other Intel GPUs.
[[nodiscard]] std::string device_in_seat(const std::string& device);

} // namespace sdbench
