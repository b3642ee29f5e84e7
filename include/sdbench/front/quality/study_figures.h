#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "sdbench/base/executor/run_dump.h"
#include "sdbench/base/image/image_metrics.h"
#include "sdbench/base/record/run_record.h"

namespace sdbench {

/// How far a picture is from the reference's.
struct PictureFigures {
  Difference pixels;  ///< of 8 bits
  double psnr_db = 0; ///< infinite for the same image
  double ssim = 1;

  /// Bit by bit.
  [[nodiscard]] bool is_identical() const { return pixels.mse == 0; }
};

/// The same of a final image, with its latents and those of the steps before.
struct ImageFigures : PictureFigures {
  Difference latents; ///< after the last step
  /// After each step; empty where candidate and reference have other step counts.
  std::vector<double> latents_nmse_by_step;
  std::vector<double> latents_max_error_by_step; ///< likewise
  /// Of the image after each step, the last of which is this one; nullopt: one of the two is not
  /// there. Empty where they are not asked for or the step counts differ.
  std::vector<std::optional<PictureFigures>> pictures_by_step;
};

/// Figures of each image; `step_images`: of those after each step, too. Throws Error for runs of
/// other sizes or counts.
[[nodiscard]] std::vector<ImageFigures> compare_runs(const RunDump& candidate,
                                                     const RunDump& reference, bool step_images);

/// The step, from 1, in which the error grows most; nullopt without steps, or where it never grows.
[[nodiscard]] std::optional<std::int64_t> steepest_step(std::span<const double> nmse_by_step);

/// Those of `steps` steps that people are shown: the first, the last, and one at each quarter.
[[nodiscard]] std::set<std::int64_t> shown_steps(std::int64_t steps);

/// Means of the pictures after a step.
struct StepSummary {
  std::optional<double> ssim;    ///< empty: there are none to compare
  std::optional<double> psnr_db; ///< of those that differ; empty: none does, or there are none
};

/// Figures of all images of a candidate.
struct StudySummary {
  std::optional<double> psnr_db_mean; ///< of the images that differ; empty: none does
  std::optional<double> psnr_db_min;
  double ssim_mean = 1;
  double ssim_min = 1;
  double nmse_mean = 0;
  double nmse_max = 0;
  double max_error = 0;    ///< in the 256 levels of a channel
  double latents_nmse = 0; ///< mean
  double latents_max_error = 0;
  std::vector<double> latents_nmse_by_step;  ///< mean of the images
  std::vector<StepSummary> pictures_by_step; ///< likewise
};
/// Of one image or more.
[[nodiscard]] StudySummary summary_of(std::span<const ImageFigures> images);

/// The record of a configuration's quality: the cell's, without whatever a clock has measured, for
/// that holds the writing of dumps and is no benchmark.
[[nodiscard]] RunRecord quality_record(RunRecord record, const std::string& reference_words);
/// Adds the figures.
void fill_quality(RunRecord& record, const StudySummary& summary);

} // namespace sdbench
