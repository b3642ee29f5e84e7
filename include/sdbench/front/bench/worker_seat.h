#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sdbench/base/plan/cell.h"

namespace sdbench {

/// What of the machine a worker sees and may use: its own device alone, so that no cell can touch
/// another's. Cells of different seats need different workers.
struct WorkerSeat {
  std::optional<std::string> cuda_visible_devices; ///< nothing: as in our own environment
  std::vector<int> cores;                          ///< numbers of them; empty: all of ours

  friend bool operator==(const WorkerSeat&, const WorkerSeat&) = default;
};

/// The seat of a cell's device. `visible`: our own CUDA_VISIBLE_DEVICES, whose entries --device
/// counts, or nullptr if that is not set. `cores`: those that we may use, see usable_cores.
[[nodiscard]] WorkerSeat seat_of(const Cell& cell, const char* visible,
                                 const std::vector<int>& cores);

/// True if this CUDA_VISIBLE_DEVICES (nullptr: not set) hides every GPU of the machine.
[[nodiscard]] bool hides_all_gpus(const char* visible);

/// The cell's device in the words of a worker on that seat: its only NVIDIA GPU is
/// cuda:0. Nothing hides GPUs of Intel's from it.
[[nodiscard]] std::string device_in_seat(const std::string& device);

} // namespace sdbench
