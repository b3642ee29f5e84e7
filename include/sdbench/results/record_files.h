#pragma once

#include <filesystem>
#include <vector>

#include "sdbench/results/bad_row.h"
#include "sdbench/results/row_report.h"

namespace sdbench {

/// Gives the rows of files, and of files in folders (not in folders below them), to `target`, in
/// order of the paths and in a folder of the names; returns what could not be read. Throws
/// UsageError for a path that is not there, and for a file (named itself, not found in a folder) of
/// another kind than .csv, .json, .jsonl, .db and .sqlite.
[[nodiscard]] std::vector<BadRow> read_record_files(const std::vector<std::filesystem::path>& paths,
                                                    RowTarget& target);

} // namespace sdbench
