#pragma once

#include <string>
#include <vector>

#include "sdbench/base/plan/cell.h"
#include "sdbench/front/bench/sweep.h"

namespace sdbench {

/// Something that differs between the cells of a sweep.
struct VaryingAxis {
  std::string name;                ///< "guidance"
  std::vector<std::string> values; ///< one per cell
  bool is_said = false;            ///< progress shows it anyway
};

/// True if the cell's guidance is known. If its model cannot be read, only the options tell it.
[[nodiscard]] bool knows_guidance(const Cell& cell);

/// The number of threads, or "all".
[[nodiscard]] std::string threads_text(const Cell& cell);

/// Axes that differ between cells, other than the plan's fixed columns.
[[nodiscard]] std::vector<VaryingAxis> varying_axes(const std::vector<SweepCell>& cells);

/// Further columns of a plan: the varying axes, and the work of each network.
[[nodiscard]] std::vector<VaryingAxis> planned_axes(const std::vector<SweepCell>& cells);

/// Words that tell each cell apart in a line of progress: ", guidance 7.5, threads 2". Progress
/// shows dtype and attention as they were used, so these words tell only that they were auto.
[[nodiscard]] std::vector<std::string> varying_words(const std::vector<SweepCell>& cells);

} // namespace sdbench
