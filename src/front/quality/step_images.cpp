#include "sdbench/front/quality/step_images.h"

#include <algorithm>
#include <system_error>

#include "sdbench/base/files/free_space.h"
#include "sdbench/base/numbers/units.h"
#include "sdbench/base/plan/cell.h"

namespace sdbench {
namespace {

namespace fs = std::filesystem;

/// Bytes of the images after all steps but the last, for the reference and one candidate at a time.
std::int64_t needed_bytes(const Cell& cell) {
  constexpr std::int64_t kCells = 2;
  constexpr std::int64_t kColours = 3;
  return kCells * (cell.steps - 1) * cell.images * kColours * cell.width * cell.height;
}

} // namespace

bool is_missing(const std::string& step_images) {
  return step_images != kStepImagesYes && step_images != kStepImagesNo;
}

std::string plan_step_images(const Study& study, const fs::path& folder) {
  const Cell& reference = study.reference.cell;
  const bool has_use = std::ranges::any_of(study.candidates, [&](const StudyCell& candidate) {
    return candidate.obstacle.empty() && candidate.cell.steps == reference.steps;
  });
  if (!study.step_images || !has_use) {
    return kStepImagesNo;
  }
  const std::int64_t needed = needed_bytes(reference);
  if (const auto free = free_space(folder); free && *free < needed) {
    return "TMPDIR must have " + bytes_text(needed) + " free for them, but has " +
           bytes_text(*free);
  }
  return kStepImagesYes;
}

std::string found_step_images(const RunDump& candidate, const RunDump& reference) {
  std::int64_t missing = 0;
  for (std::int64_t step = 1; step <= reference.steps(); ++step) {
    const bool is_there =
        !candidate.pixels_after(step, 0).empty() && !reference.pixels_after(step, 0).empty();
    missing += is_there ? 0 : 1;
  }
  return missing == 0 ? kStepImagesYes
                      : std::to_string(missing) + " of " + std::to_string(reference.steps()) +
                            " are not finite";
}

void remove_step_files(const fs::path& dump, std::int64_t steps) {
  for (std::int64_t step = 1; step < steps; ++step) {
    std::error_code none;
    fs::remove(RunDump::step_file(dump, step), none);
  }
}

} // namespace sdbench
