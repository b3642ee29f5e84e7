#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sdbench/base/config/run_options.h"
#include "sdbench/base/plan/cell.h"

namespace sdbench {

/// A cell of a sweep, with the label, note and tags for its rows.
struct SweepCell {
  PlannedCell planned;
  std::string label;
  std::string note;
  std::string tags;
  bool search_batch = false; ///< --batch auto: search for the best batch of this cell
  /// --parallel: all devices of the parallel execution to which this cell belongs. The cell runs on
  /// all of them at once or, for comparison, on one of them alone. Empty for all other cells.
  std::vector<std::string> team = {};
};

/// The cells that the options ask for. For --parallel, there is one cell for each device alone,
/// followed by the cell that runs on all of them. Call with_all_devices() first, which replaces the
/// device "all". Reads each model once. For an invalid value, throws UsageError or Error, like
/// resolve_cell(). If a cell's values contradict each other, its obstacle says why it cannot run.
/// If every cell has an obstacle, throws an error with the first cell's obstacle.
[[nodiscard]] std::vector<SweepCell> resolve_sweep(const std::vector<RunOptions>& options);

/// One execution of a cell.
struct SweepStep {
  std::size_t cell = 0;     ///< index in the list of cells
  std::int64_t round = 1;   ///< counts from 1 to rounds
  std::int64_t restart = 1; ///< counts from 1 to restarts
  bool fresh_worker = false;
};

/// All executions of a sweep, in order. Each round contains every cell. A round groups its cells by
/// device, model and weights, and within such a group by dtype and engine axes such as attention.
/// Groups, and the cells within a group, keep the order of `cells`. The cells of one device, model
/// and weights share a worker process. With `restarts`, each cell runs that many times in
/// succession, each time in a fresh worker.
[[nodiscard]] std::vector<SweepStep> plan_steps(const std::vector<SweepCell>& cells,
                                                std::int64_t rounds,
                                                std::optional<std::int64_t> restarts);

} // namespace sdbench
