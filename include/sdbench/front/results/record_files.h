#pragma once

#include <filesystem>
#include <vector>

#include "sdbench/front/results/bad_row.h"
#include "sdbench/front/results/byte_window.h"
#include "sdbench/front/results/row_report.h"

namespace sdbench {

/// True if a file of this name can hold records: .csv, .json, .jsonl, .db and .sqlite.
[[nodiscard]] bool keeps_records(const std::filesystem::path& file);
/// The same for text formats only.
[[nodiscard]] bool is_text_of_records(const std::filesystem::path& file);
/// The same for databases only.
[[nodiscard]] bool is_database_of_records(const std::filesystem::path& file);

/// Passes the rows of such a file to `report`, and reports what could not be read.
void read_record_file(const std::filesystem::path& file, RowReport& report);
/// The same for the bytes of a text; the name of `file` gives the format.
void read_record_text(ByteWindow& window, const std::filesystem::path& file, RowReport& report);

/// Passes the rows of files, and of files in folders (not in subfolders), to `target`, in order of
/// the paths and within a folder of the names. Returns remarks. Throws UsageError for a missing
/// path, and for a named file (not one found in a folder) that keeps_records() does not accept.
[[nodiscard]] ReadRemarks read_record_files(const std::vector<std::filesystem::path>& paths,
                                            RowTarget& target);

} // namespace sdbench
