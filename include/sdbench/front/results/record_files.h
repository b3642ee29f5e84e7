#pragma once

#include <filesystem>
#include <vector>

#include "sdbench/front/results/bad_row.h"
#include "sdbench/front/results/byte_window.h"
#include "sdbench/front/results/row_report.h"

namespace sdbench {

/// Whether a file of this name can hold records: .csv, .json, .jsonl, .db and .sqlite.
[[nodiscard]] bool keeps_records(const std::filesystem::path& file);
/// The same for those that are text.
[[nodiscard]] bool is_text_of_records(const std::filesystem::path& file);
/// The same for those that are databases.
[[nodiscard]] bool is_database_of_records(const std::filesystem::path& file);

/// Gives the rows of a file of such a name to `report`, and says there what could not be read.
void read_record_file(const std::filesystem::path& file, RowReport& report);
/// The same of the bytes of a text; the name of `file` says how they are read.
void read_record_text(ByteWindow& window, const std::filesystem::path& file, RowReport& report);

/// Gives the rows of files, and of files in folders (not in folders below them), to `target`, in
/// order of the paths and in a folder of the names; returns what is to be said of them. Throws
/// UsageError for a path that is not there, and for a file (named itself, not found in a folder) of
/// another kind than keeps_records knows.
[[nodiscard]] ReadRemarks read_record_files(const std::vector<std::filesystem::path>& paths,
                                            RowTarget& target);

} // namespace sdbench
