#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "sdbench/front/record/run_record.h"
#include "sdbench/front/results/bad_row.h"

namespace sdbench {

/// Reads the records of output files: one record per run, with raw times if any file has them.
/// Reads as read_record_files() does, but throws Error for the first bad row, with file and line.
/// Ignores files that are missing, empty or of other kinds, and a truncated last row.
[[nodiscard]] std::vector<RunRecord> read_records(const std::vector<std::filesystem::path>& files);

/// Like read_records(), but adds unreadable rows to `bad` and returns all others.
[[nodiscard]] std::vector<RunRecord>
readable_records(const std::vector<std::filesystem::path>& files, std::vector<BadRow>& bad);

/// Reads the records of a text in their order, including repeated ones. The extension of `file`
/// gives the format (.csv, .json or .jsonl), and error messages name the file. Throws Error for the
/// first bad row.
[[nodiscard]] std::vector<RunRecord> records_of_text(std::string_view text,
                                                     const std::filesystem::path& file);

} // namespace sdbench
