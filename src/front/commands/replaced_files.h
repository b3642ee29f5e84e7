#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "sdbench/front/record/run_record.h"

namespace sdbench {

/// Throws Error if an output of records that is always written whole (such as .json and .md) holds
/// something else, or rows that are not among `held`, the rows of the new file. `advice` tells what
/// to do instead.
void refuse_lost_records(const std::vector<std::filesystem::path>& files,
                         std::span<const RunRecord> held, const std::string& advice);

/// The same for commands like `run`. If `resumes`, the new file keeps the rows of the outputs.
void refuse_lost_rows(const std::vector<std::filesystem::path>& files, bool resumes);

/// Throws Error for a .json file that holds rows of a study of quality, or something else.
void refuse_lost_study(const std::vector<std::filesystem::path>& files);

/// Throws Error for a file that holds anything but latents.
void refuse_lost_latents(const std::filesystem::path& file);

} // namespace sdbench
