#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sdbench/core/status.h"
#include "sdbench/plan/cell.h"
#include "sdbench/record/build_record.h"
#include "sdbench/record/run_record.h"

namespace sdbench {

/// What tells the executions of a sweep apart: the cell_id, and what may differ between cells that
/// share it: seed, prompts, and the seed of synthetic weights. (Checkpoints have no name that is
/// known before they are read.) Of a cell that is to run, and of a row.
[[nodiscard]] std::string execution_key(const Cell& cell, const RecordContext& context);
[[nodiscard]] std::string execution_key(const RunRecord& row);

/// The rows that a sweep's outputs hold already, for --resume. Each row stands for one execution of
/// its cell: a cell that is asked for three times, by rounds or restarts, needs three.
class EarlierRows {
public:
  /// A row that stands in several files counts once. Interrupted cells are not done, and failed
  /// ones are only if they are not to be tried again.
  EarlierRows(const std::vector<RunRecord>& rows, bool retry_failed);

  /// Takes a row of this execution_key, environment and engine revision (kEngine,
  /// kEngineRevision), a good one first, and says how it ended; nothing if none is left. A cell
  /// that failed before its device was known is recognised by the host instead.
  [[nodiscard]] std::optional<Status> take(const std::string& key, const std::string& env_id,
                                           const std::string& host);

private:
  std::map<std::string, std::vector<Status>> left_; ///< good ones last
};

} // namespace sdbench
