#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "sdbench/base/executor/run_dump.h"
#include "sdbench/front/quality/study_plan.h"

namespace sdbench {

/// A text that says if a study compares images after each step: one of these two words, or the
/// reason why images are missing.
inline constexpr const char* kStepImagesYes = "yes";
inline constexpr const char* kStepImagesNo = "no"; ///< nobody asked, or the step counts differ

/// True if the text is a reason.
[[nodiscard]] bool is_missing(const std::string& step_images);

/// The text for the whole study. Missing if `folder` has no room for the images of the reference
/// and one candidate. Yes if at least one candidate has as many steps as the reference.
[[nodiscard]] std::string plan_step_images(const Study& study, const std::filesystem::path& folder);
/// The text for a candidate that has run. Images may be missing because its values or the
/// reference's are not finite.
[[nodiscard]] std::string found_step_images(const RunDump& candidate, const RunDump& reference);

/// Removes a dump's files of images after steps, if present.
void remove_step_files(const std::filesystem::path& dump, std::int64_t steps);

} // namespace sdbench
