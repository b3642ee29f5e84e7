#pragma once

#include <filesystem>
#include <vector>

#include "sdbench/front/results/bad_row.h"
#include "sdbench/front/results/byte_window.h"
#include "sdbench/front/results/row_report.h"

namespace sdbench {

/// True if the file's extension is one that can hold records: .csv, .json, .jsonl, .db or .sqlite.
[[nodiscard]] bool keeps_records(const std::filesystem::path& file);
/// True if the file's extension is .csv, .json or .jsonl.
[[nodiscard]] bool is_text_of_records(const std::filesystem::path& file);
/// True if the file's extension is .db or .sqlite.
[[nodiscard]] bool is_database_of_records(const std::filesystem::path& file);

/// Passes the rows of a file with records to `report`. Rows that cannot be read, or an unreadable
/// file, are reported as bad.
void read_record_file(const std::filesystem::path& file, RowReport& report);
/// Passes the rows of a text to `report`. The extension of `file` gives the text's format.
void read_record_text(ByteWindow& window, const std::filesystem::path& file, RowReport& report);

/// Passes the rows of files to `target`. A folder stands for the files in it, without subfolders.
/// Files are read in the order of `paths`, and within a folder in the order of names. Returns the
/// problems found. Throws UsageError for a missing path, and for a file named in `paths` that
/// keeps_records() rejects; such files in folders are skipped.
[[nodiscard]] ReadRemarks read_record_files(const std::vector<std::filesystem::path>& paths,
                                            RowTarget& target);

} // namespace sdbench
