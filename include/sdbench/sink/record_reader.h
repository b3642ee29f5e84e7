#pragma once

#include <filesystem>
#include <vector>

#include "sdbench/record/run_record.h"

namespace sdbench {

/// The records that output files hold, each once (with its raw times, if any file has them); each
/// file read by its extension (.csv, .jsonl, .json, .db; others keep no whole records and are
/// passed over); files that are not there or empty hold none. Throws Error that names file and
/// place for what is no record.
[[nodiscard]] std::vector<RunRecord> read_records(const std::vector<std::filesystem::path>& files);

/// Whether read_records can read such a file.
[[nodiscard]] bool keeps_records(const std::filesystem::path& file);

} // namespace sdbench
