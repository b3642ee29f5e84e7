#pragma once

#include <filesystem>
#include <vector>

#include "sdbench/front/record/run_record.h"
#include "sdbench/front/results/bad_row.h"

namespace sdbench {

/// Records of several files, merged into one list.
struct Merged : ReadRemarks {
  std::vector<RunRecord> records; ///< each run once, in the current schema version
  std::size_t duplicates = 0;     ///< rows left out because their run is already in `records`
};

/// Reads the same files as read_results(), but as RunRecords with raw times. Of several rows of one
/// run, prefers those that do not contradict themselves, and of these keeps the first one with raw
/// times, or else the first one. Throws as read_results() does.
[[nodiscard]] Merged merge_record_files(const std::vector<std::filesystem::path>& paths);

} // namespace sdbench
