#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "sdbench/base/executor/run_dump.h"
#include "sdbench/front/quality/study_plan.h"

namespace sdbench {

/// Whether the images after the steps of a study's cells are compared: one of these two words, or
/// why they, or some of them, are missing.
inline constexpr const char* kStepImagesYes = "yes";
inline constexpr const char* kStepImagesNo = "no"; ///< nobody asked, or the step counts differ

/// Whether there is a why.
[[nodiscard]] bool is_missing(const std::string& step_images);

/// For the study as a whole. Missing where `folder` has no room for the reference's and a
/// candidate's; yes if one candidate at least has as many steps as the reference.
[[nodiscard]] std::string plan_step_images(const Study& study, const std::filesystem::path& folder);
/// For one of its candidates, which has run: some may not be finite, in it or in the reference.
[[nodiscard]] std::string found_step_images(const RunDump& candidate, const RunDump& reference);

/// Removes the files of images after a dump's steps, as far as they are there.
void remove_step_files(const std::filesystem::path& dump, std::int64_t steps);

} // namespace sdbench
