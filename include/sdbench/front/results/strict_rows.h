#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "sdbench/base/record/run_record.h"
#include "sdbench/front/results/bad_row.h"

namespace sdbench {

/// The records that output files hold, each once (with its raw times, if any file has them). Files
/// are read as read_record_files reads them, but the first row that is none is an Error, which
/// names file and place. Files that are not there, empty, or of other kinds hold none, and a last
/// row that was cut off is none.
[[nodiscard]] std::vector<RunRecord> read_records(const std::vector<std::filesystem::path>& files);

/// The same, but each row that cannot be read goes to `bad`, and the others are returned.
[[nodiscard]] std::vector<RunRecord>
readable_records(const std::vector<std::filesystem::path>& files, std::vector<BadRow>& bad);

/// The records of a text, in order, also those that come again. `file` says by its ending how it is
/// read (.csv, .json or .jsonl), and stands in errors. Throws Error as read_records does.
[[nodiscard]] std::vector<RunRecord> records_of_text(std::string_view text,
                                                     const std::filesystem::path& file);

} // namespace sdbench
