#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sdbench/base/plan/cell.h"
#include "sdbench/base/types/status.h"
#include "sdbench/front/bench/sweep.h"
#include "sdbench/front/record/build_record.h"
#include "sdbench/front/record/run_record.h"

namespace sdbench {

/// A key for the work of a row or of a planned cell. It consists of the cell_id, seed, prompts and
/// tags, because cells with the same cell_id may differ in the other three. The key leaves out
/// weights and data.
[[nodiscard]] std::string work_key(const Cell& cell, const RecordContext& context);
[[nodiscard]] std::string work_key(const RunRecord& row);

/// Identifies an execution within a sweep by its work and its inputs.
struct ExecutionKey {
  std::string work;
  /// The value of the record's field `weights`: "synthetic:0", or a checkpoint's identity, which is
  /// computed from the headers of its files.
  std::string weights;
  /// A description of the weights, which stands in the field `weights` if a cell ends before its
  /// weights are read. Empty in the key of a row.
  std::string unread_weights;
  /// If the epochs use images from a folder: the identity of these images. Empty for synthetic
  /// images, which `work` describes completely. Also empty for a row that ended before its images
  /// were read.
  std::string data;
};
[[nodiscard]] ExecutionKey execution_key(const Cell& cell, const RecordContext& context);
[[nodiscard]] ExecutionKey execution_key(const RunRecord& row);
/// True if the row has the key's weights and data. Weights or data that are missing because the row
/// ended too early count as equal.
[[nodiscard]] bool has_inputs_of(const RunRecord& row, const ExecutionKey& key);

/// For --resume: the rows that a sweep's output files already hold. Each row replaces one execution
/// of its cell, so a cell that is to run three times (rounds, restarts) needs three rows.
class EarlierRows {
public:
  /// A row that is in several files counts once. Leaves out rows that were interrupted, rows during
  /// which the machine was suspended, rows of `sdbench quality`, and rows that an older revision of
  /// our own engines made. With `retry_failed`, also leaves out failed rows, except those of the
  /// Slurm job `restarted_job` (the id of the present job if Slurm has requeued it, else empty).
  /// Without this exception, the job would repeat its failed cells at each start.
  EarlierRows(std::span<const RunRecord> rows, bool retry_failed,
              const std::string& restarted_job = {});

  /// Removes one row with this execution key and environment, preferably one with status ok, and
  /// returns its status. Returns nullopt if no such row is left. A row that failed before its
  /// device was known matches by its host instead of its environment.
  [[nodiscard]] std::optional<Status> take(const ExecutionKey& key, const std::string& env_id,
                                           const std::string& host);

private:
  [[nodiscard]] std::optional<Status> take(const std::string& key);

  std::map<std::string, std::vector<Status>> left_; ///< rows' statuses by key; `ok` comes last
};

/// Expected duration of a cell in seconds. It is taken from the latest successful row (status ok)
/// of the same cell on this host; nullopt without such a row.
[[nodiscard]] std::optional<double>
expected_seconds(const Cell& cell, std::span<const RunRecord> rows, const RecordContext& context);

/// The rows from which a search for the best batch (--batch auto) may take its result. Such a row
/// was measured on this host. Its work (except the batch size), inputs and engine are those of a
/// cell whose search_batch is true. `rows`: the sweep's own rows and those that its output files
/// already held.
[[nodiscard]] std::vector<RunRecord> searched_rows(const std::vector<SweepCell>& cells,
                                                   std::span<const RunRecord> rows,
                                                   const RecordContext& context);

} // namespace sdbench
