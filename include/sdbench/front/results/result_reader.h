#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "sdbench/front/record/raw_times.h"
#include "sdbench/front/results/bad_row.h"
#include "sdbench/front/results/result_table.h"

namespace sdbench {

/// The contents of result files. Records are in the order in which they were read.
struct Results : ReadRemarks { ///< if a file has many bad rows, lists only the first ones
  ResultTable table;
  std::map<std::string, RawTimes> raw; ///< by run_id; only with ReadOptions::raw_times
};

struct ReadOptions {
  bool raw_times = false; ///< true: keep raw times, for pages that draw them
};

/// Reads records from .csv, .json, .jsonl and .db (.sqlite) files, and from such files in folders
/// (without subfolders). Reads the schema versions kOldestSchemaVersion to kSchemaVersion. Rows
/// with the same run_id become one: the first that does not contradict itself. Raw times come from
/// the first of these rows that has them and does not contradict itself. Everything that is not a
/// record is listed in Results::bad, and reading continues. If a cell ended before its device was
/// known, but all other rows of its sweep (or else of its host) with the same --device ran on one
/// device, its row gets that device. Throws UsageError for a missing path, and for a file named in
/// `paths` that has another extension; such files in folders are skipped.
[[nodiscard]] Results read_results(const std::vector<std::filesystem::path>& paths,
                                   const ReadOptions& options = {});

} // namespace sdbench
