#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sdbench/base/plan/cell.h"

namespace sdbench {

/// A parallel execution as one cell: its device is all of `devices`, joined by "+", and its images
/// are those of all devices. `alone`: the cell on one of them. Devices that share each batch
/// must warm up alike, so that their number of warm-ups is set where it was to be found.
[[nodiscard]] Cell whole_of(Cell alone, std::vector<std::string> devices, const std::string& share);

/// The inverse: what each device runs alone, in the order of `parallel_devices`; the whole is
/// measured against these. Of many epochs they have no more than a rate takes.
[[nodiscard]] std::vector<Cell> alone_cells(const Cell& whole);

/// What each device runs, in the order of `parallel_devices`. With shared images these are whole
/// batches, as equal in number as can be, the first devices having more; image i keeps its seed and
/// its prompt wherever it is made. With a shared batch they are parts of each batch, as equal.
[[nodiscard]] std::vector<Cell> device_cells(const Cell& whole);

/// How many devices run together, and the place of a device's cell among them, from 0.
[[nodiscard]] std::int64_t device_count(const Cell& cell);
[[nodiscard]] std::int64_t device_number(const Cell& cell);

/// Why the images cannot be shared so, or nothing: each device must have a batch, or a part of each
/// batch.
[[nodiscard]] std::string sharing_obstacle(const Cell& whole);

/// Whether the cell is a whole parallel execution.
[[nodiscard]] bool is_whole(const Cell& cell);

} // namespace sdbench
