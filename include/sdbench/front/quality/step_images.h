#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "sdbench/base/executor/run_dump.h"
#include "sdbench/front/quality/study_plan.h"

namespace sdbench {

/// Texts that say whether a study compares the images after each step. Any other text is the reason
/// why such images are missing.
inline constexpr const char* kStepImagesYes = "yes";
inline constexpr const char* kStepImagesNo = "no"; ///< no request, or different step counts

/// True if the text is a reason why images are missing.
[[nodiscard]] bool is_missing(const std::string& step_images);

/// The text for the whole study. It is kStepImagesYes if at least one candidate has as many steps
/// as the reference. If the disk of `folder` has too little free space for the images of the
/// reference and one candidate, the text states the needed and the free space.
[[nodiscard]] std::string plan_step_images(const Study& study, const std::filesystem::path& folder);
/// The text for one candidate, after its run. If images are missing because values of the candidate
/// or of the reference were not finite, the text says how many.
[[nodiscard]] std::string found_step_images(const RunDump& candidate, const RunDump& reference);

/// Removes the intermediate images (those after each step) from the folder `dump`, if present.
void remove_step_files(const std::filesystem::path& dump, std::int64_t steps);

} // namespace sdbench
