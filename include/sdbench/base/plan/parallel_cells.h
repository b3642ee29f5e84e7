#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sdbench/base/plan/cell.h"

namespace sdbench {

/// A parallel execution as one cell: its device is all of `devices`, joined by "+", and its images
/// are those of all devices. `alone`: the cell on one of them. Devices that share each batch must
/// do the same number of warm-ups, so an automatic number is replaced by a fixed one.
[[nodiscard]] Cell whole_of(Cell alone, std::vector<std::string> devices, const std::string& share);

/// The inverse: each device's cell when it runs alone, in the order of `parallel_devices`.
/// Comparisons of the whole use these.
[[nodiscard]] std::vector<Cell> alone_cells(const Cell& whole);

/// The cell of each device, in the order of `parallel_devices`. Shared images are divided in whole
/// batches, as equal in number as possible; the first devices may have more. Image i keeps its seed
/// and its prompt on any device. A shared batch is divided in parts as equal as possible.
[[nodiscard]] std::vector<Cell> device_cells(const Cell& whole);

/// device_count: number of devices that run together. device_number: index of a device's cell among
/// them, from 0.
[[nodiscard]] std::int64_t device_count(const Cell& cell);
[[nodiscard]] std::int64_t device_number(const Cell& cell);

/// Why the images cannot be shared; empty if they can. Each device must get a batch, or a part of
/// each batch.
[[nodiscard]] std::string sharing_obstacle(const Cell& whole);

/// True if the cell is a whole parallel execution.
[[nodiscard]] bool is_whole(const Cell& cell);

} // namespace sdbench
