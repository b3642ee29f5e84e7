#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "sdbench/base/record/run_record.h"
#include "sdbench/front/sink/say.h"

namespace sdbench {

/// Takes records as they are made.
class RecordSink {
public:
  virtual ~RecordSink() = default;
  /// For messages: "results.csv".
  [[nodiscard]] virtual std::string name() const = 0;
  /// Brings the target up to all `records`, of which it took the first `taken` before: they are on
  /// disk when it returns. Throws Error if the target refuses; it then has none of the new ones.
  virtual void write(std::span<const RunRecord> records, std::size_t taken) = 0;
};

/// Everything that records go to, opened and checked before anything runs. An output that refuses a
/// row later (a full disk, a folder that is gone) keeps no row from the others: its rows are kept
/// here and tried again with each next row and at the end.
class SinkSet {
public:
  /// One sink a file, its format by the extension (UsageError). Throws Error for a file that cannot
  /// be written. `say` hears of outputs that are mended, lost and had back.
  SinkSet(const std::vector<std::filesystem::path>& files, Say say);

  void add(std::unique_ptr<RecordSink> sink);

  /// Goes on with the run that was written to the same files: records() are then what they hold,
  /// each record once and with its raw samples where any file has them. A file that lacks records
  /// of another (a kill came between the two, or it is new) gets them. Call it before the first
  /// write.
  void resume();

  /// Those of an earlier run first. Valid until the next write.
  [[nodiscard]] std::span<const RunRecord> records() const { return records_; }
  [[nodiscard]] std::span<const RunRecord> new_records() const {
    return records().subspan(earlier_);
  }

  /// Gives the record to every sink. Does not throw for one that refuses.
  void write(const RunRecord& record);

  /// Tries for the last time what an output refused, and says what it lacks. If no file has all
  /// rows, they go to a file in the folder for temporary files. False if any output lacks a row.
  [[nodiscard]] bool finish();

  /// The files that are there with all rows; after finish().
  [[nodiscard]] std::vector<std::filesystem::path> saved() const;

private:
  struct Output {
    std::unique_ptr<RecordSink> sink;
    std::filesystem::path file; ///< empty: none
    std::filesystem::path
        place;             ///< the same, absolute: the working folder may go and be made again
    std::size_t taken = 0; ///< records that it has
    std::string trouble;   ///< why it refused the last time; empty: it did not
  };
  void give_missing(Output& output, const std::set<std::string>& run_ids);
  void bring_up(Output& output);
  void rescue();

  Say say_;
  std::vector<RunRecord> records_;
  std::size_t earlier_ = 0; ///< the first records are held for an earlier run
  std::vector<Output> outputs_;
};

/// Where rows go without -o: HOST.csv and HOST.jsonl in the folder sdbench-results.
[[nodiscard]] std::vector<std::filesystem::path> default_output_files(const std::string& host);
/// The same, with the folder made. Throws Error.
[[nodiscard]] std::vector<std::filesystem::path> default_outputs(const std::string& host);

/// Throws Error unless a file can be made beside `file` and put in its place: for results that are
/// written whole at the end.
void check_replaceable(const std::filesystem::path& file);

} // namespace sdbench
