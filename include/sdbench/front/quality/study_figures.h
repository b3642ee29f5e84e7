#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "sdbench/base/executor/run_dump.h"
#include "sdbench/front/quality/image_metrics.h"
#include "sdbench/front/record/run_record.h"

namespace sdbench {

/// Figures that compare an image with the reference's image.
struct PictureFigures {
  Difference pixels;  ///< difference of the 8-bit values
  double psnr_db = 0; ///< infinity if the images are equal
  double ssim = 1;

  /// True if the two images are equal bit for bit.
  [[nodiscard]] bool is_identical() const { return pixels.mse == 0; }
};

/// Figures that compare a final image, and its latents, with the reference's.
struct ImageFigures : PictureFigures {
  Difference latents; ///< errors of the final latents
  /// NMSE of the latents after each step. Empty, like the next list, if the step counts differ.
  std::vector<double> latents_nmse_by_step;
  std::vector<double> latents_max_error_by_step; ///< largest error of the latents after each step
  /// Figures of the image after each step, the final image last; nullopt if that image or the
  /// reference's is missing. The list is empty if not requested, or if the step counts differ.
  std::vector<std::optional<PictureFigures>> pictures_by_step;
};

/// Figures of each image; with `step_images` also of the images after each step. Throws Error if
/// the runs differ in size or number of images.
[[nodiscard]] std::vector<ImageFigures> compare_runs(const RunDump& candidate,
                                                     const RunDump& reference, bool step_images);

/// Number of the step, counted from 1, with the largest growth of the error; nullopt: no growth.
[[nodiscard]] std::optional<std::int64_t> steepest_step(std::span<const double> nmse_by_step);

/// The steps to show to people: the first, the last, and one at each quarter.
[[nodiscard]] std::set<std::int64_t> shown_steps(std::int64_t steps);

/// Mean figures of all images after one step.
struct StepSummary {
  std::optional<double> ssim;    ///< empty: no images to compare
  std::optional<double> psnr_db; ///< PSNR of the images that differ; empty: no image differs
};

/// Figures of all images of a candidate.
struct StudySummary {
  std::optional<double> psnr_db_mean; ///< mean over the images that differ; empty: no image differs
  std::optional<double> psnr_db_min;
  double ssim_mean = 1;
  double ssim_min = 1;
  double nmse_mean = 0;
  double nmse_max = 0;
  double max_error = 0;    ///< largest error of a pixel's channel, 0 to 255
  double latents_nmse = 0; ///< mean over the images
  double latents_max_error = 0;
  std::vector<double> latents_nmse_by_step;  ///< mean over the images
  std::vector<StepSummary> pictures_by_step; ///< mean over the images
};
/// Needs at least one image.
[[nodiscard]] StudySummary summary_of(std::span<const ImageFigures> images);

/// The record of a configuration's quality: the cell's record without times, because these include
/// the writing of dumps.
[[nodiscard]] RunRecord quality_record(RunRecord record, const std::string& reference_words);
/// Adds the summary's figures to the record.
void fill_quality(RunRecord& record, const StudySummary& summary);

} // namespace sdbench
