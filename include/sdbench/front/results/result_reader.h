#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "sdbench/base/record/raw_times.h"
#include "sdbench/front/results/bad_row.h"
#include "sdbench/front/results/result_table.h"

namespace sdbench {

/// What files hold.
struct Results : ReadRemarks { ///< in order; of a file with many bad rows the first ones
  ResultTable table;
  std::map<std::string, RawTimes> raw; ///< by run_id; only if asked for
};

struct ReadOptions {
  bool raw_times = false; ///< keep them: for pages that draw them
};

/// Reads records of .csv, .json, .jsonl and .db (.sqlite) files of any schema version so far, and
/// of such files in folders (not in folders below them). A run_id that comes again is one row: the
/// first that does not contradict itself, with the raw times of whichever has them. What is no
/// record is named in Results::bad, and all else is read. Throws UsageError for a path that is not
/// there, and for a file (named itself, not found in a folder) of another kind.
[[nodiscard]] Results read_results(const std::vector<std::filesystem::path>& paths,
                                   const ReadOptions& options = {});

} // namespace sdbench
