#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sdbench/base/plan/cell.h"

namespace sdbench {

/// A parallel execution as one cell: its device is all of `devices`, joined by "+", and its images
/// are those of all devices. `alone`: the cell on one of them. Devices that share each batch must
/// do equally many warm-ups, so an automatic number is replaced by a fixed one.
[[nodiscard]] Cell whole_of(Cell alone, std::vector<std::string> devices, const std::string& share);

/// The inverse: each device's cell when it runs alone, in the order of `parallel_devices`. The
/// whole is compared with these.
[[nodiscard]] std::vector<Cell> alone_cells(const Cell& whole);

/// The cell of each device, in the order of `parallel_devices`. With shared images these are whole
/// batches, as equal in number as can be, the first devices having more; image i keeps its seed and
/// its prompt wherever it is made. With a shared batch they are parts of each batch, as equal as
/// possible.
[[nodiscard]] std::vector<Cell> device_cells(const Cell& whole);

/// How many devices run together, and the place of a device's cell among them, from 0.
[[nodiscard]] std::int64_t device_count(const Cell& cell);
[[nodiscard]] std::int64_t device_number(const Cell& cell);

/// Why the images cannot be shared; empty if they can. Each device must get a batch, or a part of
/// each batch.
[[nodiscard]] std::string sharing_obstacle(const Cell& whole);

/// True if the cell is a whole parallel execution.
[[nodiscard]] bool is_whole(const Cell& cell);

} // namespace sdbench
