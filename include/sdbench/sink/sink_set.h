#pragma once

#include <filesystem>
#include <memory>
#include <utility>
#include <vector>

#include "sdbench/record/run_record.h"

namespace sdbench {

/// Takes records as they are made.
class RecordSink {
public:
  virtual ~RecordSink() = default;
  /// On disk when it returns. Throws Error if the target refuses.
  virtual void write(const RunRecord& record) = 0;
};

/// Everything that records go to, opened and checked before anything runs.
class SinkSet {
public:
  /// One sink a file, its format by the extension (UsageError). Throws Error for a file that cannot
  /// be written.
  explicit SinkSet(const std::vector<std::filesystem::path>& files);

  void add(std::unique_ptr<RecordSink> sink) { sinks_.push_back(std::move(sink)); }

  /// Gives the record to every sink, also if one of them fails; then throws the first failure.
  void write(const RunRecord& record);

private:
  std::vector<std::unique_ptr<RecordSink>> sinks_;
};

/// Where rows go without -o: HOST.csv and HOST.jsonl in the folder sdbench-results.
[[nodiscard]] std::vector<std::filesystem::path> default_output_files(const std::string& host);
/// The same, with the folder made. Throws Error.
[[nodiscard]] std::vector<std::filesystem::path> default_outputs(const std::string& host);

/// Throws Error unless a file can be made beside `file` and put in its place: for results that are
/// written whole at the end.
void check_replaceable(const std::filesystem::path& file);

} // namespace sdbench
