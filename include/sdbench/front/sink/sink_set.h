#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "sdbench/front/record/run_record.h"
#include "sdbench/front/sink/say.h"

namespace sdbench {

/// A target for records as they are made.
class RecordSink {
public:
  virtual ~RecordSink() = default;
  /// For messages: "results.csv".
  [[nodiscard]] virtual std::string name() const = 0;
  /// Adds the records after the first `taken`, which the target already has; all are on disk when
  /// it returns. Throws Error on failure, and then adds no record.
  virtual void write(std::span<const RunRecord> records, std::size_t taken) = 0;
};

/// All targets of records, opened and checked before the run. If an output fails later (full disk,
/// missing folder), the others still get all rows. The failed output's rows are kept here and tried
/// again with each new row and at the end.
class SinkSet {
public:
  /// One sink for each file, with the format of its extension (UsageError if unknown). Throws Error
  /// for a file that cannot be written. `say` reports outputs that are repaired, lost or available
  /// again.
  SinkSet(const std::vector<std::filesystem::path>& files, Say say);

  void add(std::unique_ptr<RecordSink> sink);

  /// Continues the run that was written to the same files. records() then returns their records,
  /// each once and with its raw samples if any file has them. Files that lack some of these records
  /// (new, or missed because of a kill) get them. Call it before the first write().
  void resume();

  /// All records, an earlier run's first. Valid until the next write().
  [[nodiscard]] std::span<const RunRecord> records() const { return records_; }
  [[nodiscard]] std::span<const RunRecord> new_records() const {
    return records().subspan(earlier_);
  }

  /// Writes the record to every sink. Does not throw if a sink fails.
  void write(const RunRecord& record);

  /// Retries failed writes for the last time, and reports what an output lacks. If no file has all
  /// rows, writes them to a file in the folder for temporary files. False if any output lacks a
  /// row.
  [[nodiscard]] bool finish();

  /// The files that exist with all rows; call it after finish().
  [[nodiscard]] std::vector<std::filesystem::path> saved() const;

private:
  struct Output {
    std::unique_ptr<RecordSink> sink;
    std::filesystem::path file; ///< empty: none
    std::filesystem::path
        place; ///< the same, absolute, because the working folder may be removed and made again
    std::size_t taken = 0; ///< records that it has
    std::string trouble;   ///< why the last write failed; empty: it succeeded
  };
  void give_missing(Output& output, const std::set<std::string>& run_ids);
  void bring_up(Output& output);
  void rescue();

  Say say_;
  std::vector<RunRecord> records_;
  std::size_t earlier_ = 0; ///< number of leading records that are from an earlier run
  std::vector<Output> outputs_;
};

/// The output files without -o: HOST.csv and HOST.jsonl in the folder sdbench-results.
[[nodiscard]] std::vector<std::filesystem::path> default_output_files(const std::string& host);
/// The same, and makes the folder. Throws Error.
[[nodiscard]] std::vector<std::filesystem::path> default_outputs(const std::string& host);

/// Throws Error unless a file can be made beside `file` and renamed to it. For results that are
/// written as a whole at the end.
void check_replaceable(const std::filesystem::path& file);

} // namespace sdbench
