#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "sdbench/front/record/run_record.h"
#include "sdbench/front/results/bad_row.h"

namespace sdbench {

/// The records in output files, each once (with its raw times, if any file has them). Reads files
/// as read_record_files() does, but throws Error for the first bad row, with file and place.
/// Ignores files that are missing, empty or of other kinds, and a last row that was cut off.
[[nodiscard]] std::vector<RunRecord> read_records(const std::vector<std::filesystem::path>& files);

/// The same, but adds unreadable rows to `bad` and returns the others.
[[nodiscard]] std::vector<RunRecord>
readable_records(const std::vector<std::filesystem::path>& files, std::vector<BadRow>& bad);

/// The records of a text, in order, repeated ones included. The extension of `file` gives the
/// format (.csv, .json or .jsonl); errors name it. Throws Error as read_records() does.
[[nodiscard]] std::vector<RunRecord> records_of_text(std::string_view text,
                                                     const std::filesystem::path& file);

} // namespace sdbench
