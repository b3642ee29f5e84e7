#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sdbench/base/plan/cell.h"

namespace sdbench {

/// Describes a parallel execution as one cell: its device is all of `devices`, joined by "+", and
/// its images are those of all devices. `alone`: the cell as one of the devices would run it alone.
/// With `share` "batch" all devices must do the same number of warm-ups, so if that number is
/// automatic, it becomes kFixedWarmups.
[[nodiscard]] Cell whole_of(Cell alone, std::vector<std::string> devices, const std::string& share);

/// The inverse of whole_of(): for each device, the cell that runs on it alone, in the order of
/// `parallel_devices`. The parallel execution is compared with these cells.
[[nodiscard]] std::vector<Cell> alone_cells(const Cell& whole);

/// For each device, its cell within the parallel execution, in the order of `parallel_devices`.
/// - --share prompts: whole batches are divided among the devices as evenly as possible; the first
/// devices may get one batch more than the others. Image i keeps its seed and prompt on any device.
/// - --share batch: each batch is divided as evenly as possible.
/// - --share each: every device gets as many images as if it ran alone.
[[nodiscard]] std::vector<Cell> device_cells(const Cell& whole);

/// Number of devices that run together; 0 if the cell runs alone.
[[nodiscard]] std::int64_t device_count(const Cell& cell);
/// Index of the cell's device among the devices that run together, from 0.
[[nodiscard]] std::int64_t device_number(const Cell& cell);

/// Why the devices cannot divide the work as the cell's `share` says; empty if they can. With
/// "prompts" each device must get at least one batch, with "batch" at least one image of each
/// batch.
[[nodiscard]] std::string sharing_obstacle(const Cell& whole);

/// True if the cell describes a whole parallel execution (see whole_of).
[[nodiscard]] bool is_whole(const Cell& cell);

} // namespace sdbench
