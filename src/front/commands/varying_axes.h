#pragma once

#include <string>
#include <vector>

#include "sdbench/base/plan/cell.h"
#include "sdbench/front/bench/sweep.h"

namespace sdbench {

/// Something that differs between the cells of a sweep.
struct VaryingAxis {
  std::string name;                ///< "guidance"
  std::vector<std::string> values; ///< of each cell
  bool is_said = false;            ///< by the words of progress anyway
};

/// Of a model that cannot be read, only what the options say is known.
[[nodiscard]] bool knows_guidance(const Cell& cell);

/// "all", or how many.
[[nodiscard]] std::string threads_text(const Cell& cell);

/// What differs beside what every plan and every line of progress says of a cell anyway.
[[nodiscard]] std::vector<VaryingAxis> varying_axes(const std::vector<SweepCell>& cells);

/// Further columns of a plan: the varying axes, and the work of each network.
[[nodiscard]] std::vector<VaryingAxis> planned_axes(const std::vector<SweepCell>& cells);

/// What tells each cell apart, for a line of progress: ", guidance 7.5, threads 2". Of a dtype or
/// an attention, which are said as they were used, that it was auto.
[[nodiscard]] std::vector<std::string> varying_words(const std::vector<SweepCell>& cells);

} // namespace sdbench
