#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sdbench/base/core/status.h"
#include "sdbench/base/plan/cell.h"
#include "sdbench/base/record/build_record.h"
#include "sdbench/base/record/run_record.h"

namespace sdbench {

/// What work a row or a cell that is to run is of: the cell_id, and what may differ between cells
/// that share it, but for the weights: seed and prompts.
[[nodiscard]] std::string work_key(const Cell& cell, const RecordContext& context);
[[nodiscard]] std::string work_key(const RunRecord& row);

/// What tells the executions of a sweep apart.
struct ExecutionKey {
  std::string work;
  /// As in the record: "synthetic:0", or a checkpoint's identity, for which the headers of its
  /// files are read.
  std::string weights;
  /// How a row names weights that were not read before it ended; a row's own key has none.
  std::string unread_weights;
  /// Of epochs over a folder's images their identity; empty of made-up ones, of which the work says
  /// all, and in a row that ended before they were read.
  std::string data;
};
[[nodiscard]] ExecutionKey execution_key(const Cell& cell, const RecordContext& context);
[[nodiscard]] ExecutionKey execution_key(const RunRecord& row);
/// Whether the row is of the key's weights and data, for all that it says.
[[nodiscard]] bool has_inputs_of(const RunRecord& row, const ExecutionKey& key);

/// The rows that a sweep's outputs hold already, for --resume. Each row stands for one execution of
/// its cell: a cell that is asked for three times, by rounds or restarts, needs three.
class EarlierRows {
public:
  /// A row that stands in several files counts once. Interrupted cells are not done, nor are
  /// those while which the machine slept, and failed ones are only if they are not to be tried
  /// again, or were in this job of Slurm before it was queued again (`restarted_job`; empty: none):
  /// else it would try them in each of its starts.
  EarlierRows(std::span<const RunRecord> rows, bool retry_failed,
              const std::string& restarted_job = {});

  /// Takes a row of this execution, environment by the present revision of
  /// its engine, a good one first, and says how it ended; nothing if none is left. A cell
  /// that failed before its device was known is recognised by the host instead.
  [[nodiscard]] std::optional<Status> take(const ExecutionKey& key, const std::string& env_id,
                                           const std::string& host);

private:
  [[nodiscard]] std::optional<Status> take(const std::string& key);

  std::map<std::string, std::vector<Status>> left_; ///< good ones last
};

} // namespace sdbench
