#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sdbench/results/result_table.h"

namespace sdbench {

/// A row, or a file, that could not be read and was left out.
struct BadRow {
  std::filesystem::path file;
  std::size_t line = 0; ///< from 1; 0: the file as a whole
  std::string column;   ///< name of the field; empty: the row as a whole
  std::string reason;
  /// "night.csv, line 3, column steps: must be an integer, but is \"many\""
  [[nodiscard]] std::string text() const;
};

/// Raw times of a record.
struct RawTimes {
  std::optional<RunSample> first_image;
  std::vector<RunSample> samples;
};

/// What files hold.
struct Results {
  ResultTable table;
  std::vector<BadRow> bad;
  std::map<std::string, RawTimes> raw; ///< by run_id; only if asked for
};

struct ReadOptions {
  bool raw_times = false; ///< keep them: for pages that draw them
};

/// Reads records of .csv, .json, .jsonl and .db (.sqlite) files of any schema version so far, and
/// of such files in folders (not in folders below them). A run_id that comes again is one row: the
/// first. What is no record is named in Results::bad, and all else is read. Throws UsageError for a
/// path that is not there, and for a file (named itself, not found in a folder) of another kind.
[[nodiscard]] Results read_results(const std::vector<std::filesystem::path>& paths,
                                   const ReadOptions& options = {});

} // namespace sdbench
