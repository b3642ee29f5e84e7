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

/// A target to which records are written as soon as they are measured.
class RecordSink {
public:
  virtual ~RecordSink() = default;
  /// Name for messages: "results.csv".
  [[nodiscard]] virtual std::string name() const = 0;
  /// Writes all records except the first `taken`, which the target already has. On success, a
  /// file has all these records on disk. If the write fails, write() throws Error, and
  /// the file has none of these records.
  virtual void write(std::span<const RunRecord> records, std::size_t taken) = 0;
};

/// All targets of a run's records. They are opened and checked before the run. If one output fails
/// later (full disk, missing folder), the others still get all rows. The rows for the failed output
/// stay in memory. Writing them is tried again with each new row and at the end.
class SinkSet {
public:
  /// Opens one sink for each file, in the format of its extension. Throws UsageError for an unknown
  /// extension, and Error for a file that cannot be written. `say` gets messages about outputs that
  /// are repaired, lost or available again.
  SinkSet(const std::vector<std::filesystem::path>& files, Say say);

  void add(std::unique_ptr<RecordSink> sink);

  /// Continues an earlier run that was written to the same files. records() then begins with the
  /// records of these files: each appears once, with raw times if any of the files has them. Each
  /// file also gets the records that it lacks because it is new, or because an earlier process was
  /// killed before writing to all files. Call it before the first write().
  void resume();

  /// All records, beginning with those of an earlier run. Valid until the next write().
  [[nodiscard]] std::span<const RunRecord> records() const { return records_; }
  [[nodiscard]] std::span<const RunRecord> new_records() const {
    return records().subspan(earlier_);
  }

  /// Writes the record to every sink. Does not throw if a sink fails.
  void write(const RunRecord& record);

  /// Retries failed writes for the last time, and reports how many rows each output lacks. If no
  /// file has all rows, writes the rows of this run to a file in the first writable folder of
  /// $TMPDIR, /tmp, $HOME and ".". Returns false if any output lacks a row.
  [[nodiscard]] bool finish();

  /// The files that exist and have all rows. Call it after finish().
  [[nodiscard]] std::vector<std::filesystem::path> saved() const;

private:
  struct Output {
    std::unique_ptr<RecordSink> sink;
    std::filesystem::path file; ///< empty: the output is not a file
    /// Absolute path of `file`, because the working folder may be removed and created again.
    std::filesystem::path place;
    std::size_t taken = 0; ///< number of records that the output has
    std::string trouble;   ///< why the last write failed; empty: it succeeded
  };
  void give_missing(Output& output, const std::set<std::string>& run_ids);
  void bring_up(Output& output);
  void rescue();

  Say say_;
  std::vector<RunRecord> records_;
  std::size_t earlier_ = 0; ///< number of leading records that come from an earlier run
  std::vector<Output> outputs_;
};

/// The output files if -o is not given: HOST.csv and HOST.jsonl in the folder sdbench-results.
[[nodiscard]] std::vector<std::filesystem::path> default_output_files(const std::string& host);
/// Returns default_output_files(), and creates their folder. Throws Error on failure.
[[nodiscard]] std::vector<std::filesystem::path> default_outputs(const std::string& host);

/// Throws Error if `file` cannot be replaced by an AtomicFile. Does not change `file`. Call it
/// before the work whose results will replace `file`, so that the error comes early.
void check_replaceable(const std::filesystem::path& file);

} // namespace sdbench
