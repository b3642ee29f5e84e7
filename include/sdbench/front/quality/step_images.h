#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "sdbench/base/executor/run_dump.h"
#include "sdbench/front/quality/study_plan.h"

namespace sdbench {

/// Texts that say whether a study compares intermediate images (those after each step). Any other
/// text is the reason why such images are missing.
inline constexpr const char* kStepImagesYes = "yes";
inline constexpr const char* kStepImagesNo = "no"; ///< not requested, or step counts differ

/// True if the text is a reason why images are missing.
[[nodiscard]] bool is_missing(const std::string& step_images);

/// The text for a whole study: kStepImagesYes if step images were requested, and at least one
/// candidate that can run has the reference's step count. If the disk of `folder` lacks space for
/// the images of the reference and one candidate, the text states the needed and the free space.
[[nodiscard]] std::string plan_step_images(const Study& study, const std::filesystem::path& folder);
/// The text for one candidate that has run. It says how many images are missing because values of
/// the candidate or of the reference were not finite.
[[nodiscard]] std::string found_step_images(const RunDump& candidate, const RunDump& reference);

/// Removes any intermediate images (those after each step) from the folder `dump`.
void remove_step_files(const std::filesystem::path& dump, std::int64_t steps);

} // namespace sdbench
