#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "sdbench/front/record/raw_times.h"
#include "sdbench/front/results/bad_row.h"
#include "sdbench/front/results/result_table.h"

namespace sdbench {

/// The contents of files.
struct Results : ReadRemarks { ///< in order; only the first bad rows of a file with many
  ResultTable table;
  std::map<std::string, RawTimes> raw; ///< by run_id; only if asked for
};

struct ReadOptions {
  bool raw_times = false; ///< keep raw times, for pages that draw them
};

/// Reads records of .csv, .json, .jsonl and .db (.sqlite) files of any schema version so far, and
/// of such files in folders (not in subfolders). Rows with the same run_id become one: the first
/// that does not contradict itself, with the raw times of any of them. Lists what is no record in
/// Results::bad and reads everything else. A failed row that tells no device gets that of its
/// sweep. Throws UsageError for a missing path, and for a named file (not one found in a folder) of
/// a different kind.
[[nodiscard]] Results read_results(const std::vector<std::filesystem::path>& paths,
                                   const ReadOptions& options = {});

} // namespace sdbench
