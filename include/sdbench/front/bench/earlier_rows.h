#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sdbench/base/plan/cell.h"
#include "sdbench/base/types/status.h"
#include "sdbench/front/record/build_record.h"
#include "sdbench/front/record/run_record.h"

namespace sdbench {

/// Identifies the work of a row or of a planned cell: its cell_id, and the seed, prompts and tags,
/// in which cells with the same cell_id may differ. Leaves out weights and data.
[[nodiscard]] std::string work_key(const Cell& cell, const RecordContext& context);
[[nodiscard]] std::string work_key(const RunRecord& row);

/// Tells the executions of a sweep apart.
struct ExecutionKey {
  std::string work;
  /// The record's text: "synthetic:0", or a checkpoint's identity, which is made from the headers
  /// of its files.
  std::string weights;
  /// The name that a row has for its weights if it ended before they were read. Empty in the key of
  /// a row.
  std::string unread_weights;
  /// Identity of a folder's images, for epochs over them. Empty for synthetic images, which the
  /// work describes completely, and for a row that ended before its images were read.
  std::string data;
};
[[nodiscard]] ExecutionKey execution_key(const Cell& cell, const RecordContext& context);
[[nodiscard]] ExecutionKey execution_key(const RunRecord& row);
/// True if the row has the key's weights and data, or ended before it knew them.
[[nodiscard]] bool has_inputs_of(const RunRecord& row, const ExecutionKey& key);

/// The rows that a sweep's outputs hold already, for --resume. Each row stands for one execution of
/// its cell. A cell that must run three times (rounds, restarts) needs three rows.
class EarlierRows {
public:
  /// A row that several files hold counts once. Leaves out rows that were interrupted, rows during
  /// which the machine was suspended, rows of `sdbench quality`, and rows of an older revision of
  /// our own engines. With `retry_failed`, also leaves out failed rows. It keeps those that this
  /// Slurm job made before it was requeued (`restarted_job`; empty: not requeued), because the job
  /// would otherwise repeat them at each start.
  EarlierRows(std::span<const RunRecord> rows, bool retry_failed,
              const std::string& restarted_job = {});

  /// Takes one row with the same execution key and environment, and returns its status; prefers a
  /// good one. Returns nothing if no such row is left. A row that failed before its device was
  /// known matches by its host instead.
  [[nodiscard]] std::optional<Status> take(const ExecutionKey& key, const std::string& env_id,
                                           const std::string& host);

private:
  [[nodiscard]] std::optional<Status> take(const std::string& key);

  std::map<std::string, std::vector<Status>> left_; ///< good ones last
};

/// Seconds that a cell should take, from the latest good row of the same cell on this host. Nothing
/// without such a row.
[[nodiscard]] std::optional<double>
expected_seconds(const Cell& cell, std::span<const RunRecord> rows, const RecordContext& context);

} // namespace sdbench
