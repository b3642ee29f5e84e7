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
/// is not set. The number N in cuda:N is the index, from 0, of one of that variable's entries.
/// `cores`: the cores that this process may use, see usable_cores.
[[nodiscard]] WorkerSeat seat_of(const Cell& cell, const char* visible,
                                 const std::vector<int>& cores);

/// True if this CUDA_VISIBLE_DEVICES (nullptr: not set) hides every GPU of the machine.
[[nodiscard]] bool hides_all_gpus(const char* visible);

/// The device's name as a worker in that seat sees it. The only visible NVIDIA GPU is cuda:0. Intel
/// GPUs keep their names, because the seat does not hide other Intel GPUs.
[[nodiscard]] std::string device_in_seat(const std::string& device);

} // namespace sdbench
