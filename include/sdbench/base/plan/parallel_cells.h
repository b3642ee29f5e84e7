#pragma once

#include <string>
#include <vector>

#include "sdbench/base/plan/cell.h"

namespace sdbench {

/// --share: all devices share a run's images (strong scaling), or each makes all of them (weak).
inline constexpr const char* kSharePrompts = "prompts";
inline constexpr const char* kShareEach = "each";

/// A parallel execution as one cell: its device is all of `devices`, joined by "+", and its images
/// are those of all devices. `alone`: the cell on the first of them.
[[nodiscard]] Cell whole_of(Cell alone, std::vector<std::string> devices, const std::string& share);

/// The inverse: the cell that the first device runs alone, which the whole is measured against.
[[nodiscard]] Cell alone_of(const Cell& whole);

/// What each device runs, in the order of `parallel_devices`. With shared images these are whole
/// batches, as equal in number as can be, the first devices having more; image i keeps its seed and
/// its prompt wherever it is made.
[[nodiscard]] std::vector<Cell> device_cells(const Cell& whole);

/// Why the images cannot be shared, or nothing: each device must have a batch.
[[nodiscard]] std::string sharing_obstacle(const Cell& whole);

/// Whether the cell is a whole parallel execution.
[[nodiscard]] bool is_whole(const Cell& cell);

} // namespace sdbench
