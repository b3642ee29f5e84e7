#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sdbench/base/plan/cell.h"

namespace sdbench {

/// The part of the machine that a worker sees and may use: only its own device, so that no cell can
/// use the device of a different cell. Different seats need different workers.
struct WorkerSeat {
  std::optional<std::string> cuda_visible_devices; ///< nothing: unchanged from our environment
  std::vector<int> cores;                          ///< core numbers; empty: all that we may use

  friend bool operator==(const WorkerSeat&, const WorkerSeat&) = default;
};

/// The seat for a cell's device. `visible`: our own CUDA_VISIBLE_DEVICES, whose entries --device
/// numbers, or nullptr if it is not set. `cores`: the cores that we may use, see usable_cores.
[[nodiscard]] WorkerSeat seat_of(const Cell& cell, const char* visible,
                                 const std::vector<int>& cores);

/// True if this CUDA_VISIBLE_DEVICES (nullptr: not set) hides every GPU of the machine.
[[nodiscard]] bool hides_all_gpus(const char* visible);

/// The device's name within that seat: the only NVIDIA GPU is cuda:0. Intel GPUs keep their names,
/// because nothing hides them.
[[nodiscard]] std::string device_in_seat(const std::string& device);

} // namespace sdbench
