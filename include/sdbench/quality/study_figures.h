#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sdbench/executor/run_dump.h"
#include "sdbench/image/image_metrics.h"
#include "sdbench/record/run_record.h"

namespace sdbench {

/// How far one image, and its latents, are from the reference's.
struct ImageFigures {
  Difference pixels;  ///< of 8 bits
  double psnr_db = 0; ///< infinite for the same image
  double ssim = 1;
  Difference latents; ///< after the last step
  /// After each step; empty where candidate and reference have other step counts.
  std::vector<double> latents_nmse_by_step;
  std::vector<double> latents_max_error_by_step; ///< likewise

  /// Bit by bit.
  [[nodiscard]] bool is_identical() const { return pixels.mse == 0; }
};

/// Figures of each image. Throws Error for runs of other sizes or counts.
[[nodiscard]] std::vector<ImageFigures> compare_runs(const RunDump& candidate,
                                                     const RunDump& reference);

/// The step, from 1, in which the error grows most; nullopt without steps, or where it never grows.
[[nodiscard]] std::optional<std::int64_t> steepest_step(std::span<const double> nmse_by_step);

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
  std::vector<double> latents_nmse_by_step; ///< mean of the images
};
/// Of one image or more.
[[nodiscard]] StudySummary summary_of(std::span<const ImageFigures> images);

/// The record of a configuration's quality: the cell's, without whatever a clock has measured, for
/// that holds the writing of dumps and is no benchmark.
[[nodiscard]] RunRecord quality_record(RunRecord record, const std::string& reference_words);
/// Adds the figures.
void fill_quality(RunRecord& record, const StudySummary& summary);

} // namespace sdbench
