#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sdbench/base/config/run_options.h"
#include "sdbench/base/plan/cell.h"

namespace sdbench {

/// A cell of a sweep, with the texts that its rows get.
struct SweepCell {
  PlannedCell planned;
  std::string label;
  std::string note;
  std::string tags;
  bool search_batch = false; ///< --batch auto: the search begins with this cell
  /// --parallel: the devices whose workers stand by for this cell. It runs on all of them or, for
  /// comparison, on one alone. Empty if it has a worker of its own.
  std::vector<std::string> team = {};
};

/// The cells that options ask for. Each parallel execution follows the cells of its devices alone.
/// "all" among the devices must have been replaced (with_all_devices). Each model is read once.
/// Throws UsageError and Error as resolve_cell does for an invalid value. In a sweep of several
/// cells, values that contradict each other are the cell's obstacle, unless every cell has one.
[[nodiscard]] std::vector<SweepCell> resolve_sweep(const std::vector<RunOptions>& options);

/// One execution of a cell.
struct SweepStep {
  std::size_t cell = 0;     ///< index in the list of cells
  std::int64_t round = 1;   ///< 1 ... rounds
  std::int64_t restart = 1; ///< 1 ... restarts
  bool fresh_worker = false;
};

/// Everything that a sweep runs, in order. Each round is the whole list, grouped by device, model
/// and weights, and within these groups by dtype and attention. Groups and the cells within keep
/// the order of the list. A worker stays for all cells that share device, model and weights. With
/// `restarts`, each cell runs that often in a row, each time in a fresh worker.
[[nodiscard]] std::vector<SweepStep> plan_steps(const std::vector<SweepCell>& cells,
                                                std::int64_t rounds,
                                                std::optional<std::int64_t> restarts);

} // namespace sdbench
