#include "sdbench/front/quality/study_figures.h"

#include <algorithm>
#include <string>
#include <variant>

#include "sdbench/base/errors/error.h"
#include "sdbench/base/executor/measured_figure_table.h"
#include "sdbench/base/numbers/statistics.h"
#include "sdbench/base/text/listed.h"

namespace sdbench {
namespace {

std::string shape_words(const RunDump& run) {
  return std::to_string(run.images()) + " of " + std::to_string(run.width()) + "x" +
         std::to_string(run.height());
}

PictureFigures figures_of_picture(const ImageView& picture, const ImageView& wanted) {
  PictureFigures figures;
  figures.pixels = difference(picture.rgb, wanted.rgb);
  figures.psnr_db = psnr_db(figures.pixels.mse);
  figures.ssim = ssim(picture, wanted);
  return figures;
}

/// The figures after each step; `last` are those of the final image.
std::vector<std::optional<PictureFigures>> figures_by_step(const RunDump& candidate,
                                                           const RunDump& reference,
                                                           std::int64_t image,
                                                           const PictureFigures& last) {
  std::vector<std::optional<PictureFigures>> figures;
  for (std::int64_t step = 1; step < candidate.steps(); ++step) {
    const auto picture = candidate.pixels_after(step, image);
    const auto wanted = reference.pixels_after(step, image);
    auto& after_step = figures.emplace_back();
    if (!picture.empty() && !wanted.empty()) {
      after_step = figures_of_picture({picture, candidate.width(), candidate.height()},
                                      {wanted, reference.width(), reference.height()});
    }
  }
  figures.emplace_back(last);
  return figures;
}

ImageFigures figures_of(const RunDump& candidate, const RunDump& reference, std::int64_t image,
                        bool step_images) {
  const ImageView picture{candidate.pixels(image), candidate.width(), candidate.height()};
  const ImageView wanted{reference.pixels(image), reference.width(), reference.height()};
  ImageFigures figures;
  static_cast<PictureFigures&>(figures) = figures_of_picture(picture, wanted);
  figures.latents = difference(candidate.latents(candidate.steps(), image),
                               reference.latents(reference.steps(), image));
  if (candidate.steps() == reference.steps()) {
    if (step_images) {
      figures.pictures_by_step = figures_by_step(candidate, reference, image, figures);
    }
    for (std::int64_t step = 1; step <= candidate.steps(); ++step) {
      const Difference latents =
          difference(candidate.latents(step, image), reference.latents(step, image));
      figures.latents_nmse_by_step.push_back(latents.nmse);
      figures.latents_max_error_by_step.push_back(latents.max_error);
    }
  }
  return figures;
}

StepSummary summary_after(std::size_t step, std::span<const ImageFigures> images) {
  std::vector<double> psnr;
  std::vector<double> similarity;
  for (const ImageFigures& image : images) {
    if (const auto& picture = image.pictures_by_step[step]) {
      similarity.push_back(picture->ssim);
      if (!picture->is_identical()) {
        psnr.push_back(picture->psnr_db);
      }
    }
  }
  return {mean(similarity), mean(psnr)};
}

} // namespace

std::vector<ImageFigures> compare_runs(const RunDump& candidate, const RunDump& reference,
                                       bool step_images) {
  if (candidate.images() != reference.images() || candidate.width() != reference.width() ||
      candidate.height() != reference.height()) {
    throw Error("images must be as many and as large as the reference's (" +
                shape_words(reference) + "), but are " + shape_words(candidate));
  }
  std::vector<ImageFigures> figures;
  for (std::int64_t image = 0; image < candidate.images(); ++image) {
    figures.push_back(figures_of(candidate, reference, image, step_images));
  }
  return figures;
}

std::optional<std::int64_t> steepest_step(std::span<const double> nmse_by_step) {
  std::optional<std::int64_t> steepest;
  double largest = 0;
  double before = 0;
  for (std::size_t i = 0; i < nmse_by_step.size(); ++i) {
    if (nmse_by_step[i] - before > largest) {
      largest = nmse_by_step[i] - before;
      steepest = static_cast<std::int64_t>(i) + 1;
    }
    before = nmse_by_step[i];
  }
  return steepest;
}

std::set<std::int64_t> shown_steps(std::int64_t steps) {
  return {1, std::max<std::int64_t>(1, steps / 4), std::max<std::int64_t>(1, steps / 2),
          std::max<std::int64_t>(1, 3 * steps / 4), steps};
}

StudySummary summary_of(std::span<const ImageFigures> images) {
  std::vector<double> psnr;
  std::vector<double> similarity;
  std::vector<double> nmse;
  std::vector<double> latents;
  StudySummary summary;
  for (const ImageFigures& image : images) {
    if (!image.is_identical()) {
      psnr.push_back(image.psnr_db);
    }
    similarity.push_back(image.ssim);
    nmse.push_back(image.pixels.nmse);
    latents.push_back(image.latents.nmse);
    summary.max_error = std::max(summary.max_error, image.pixels.max_error);
    summary.latents_max_error = std::max(summary.latents_max_error, image.latents.max_error);
  }
  summary.psnr_db_mean = mean(psnr);
  summary.psnr_db_min = percentile(psnr, 0);
  summary.ssim_mean = mean(similarity).value();
  summary.ssim_min = percentile(similarity, 0).value();
  summary.nmse_mean = mean(nmse).value();
  summary.nmse_max = percentile(nmse, 100).value();
  summary.latents_nmse = mean(latents).value();
  for (std::size_t step = 0; step < images.front().latents_nmse_by_step.size(); ++step) {
    std::vector<double> at_step =
        mapped(images, [&](const ImageFigures& image) { return image.latents_nmse_by_step[step]; });
    summary.latents_nmse_by_step.push_back(mean(at_step).value());
  }
  for (std::size_t step = 0; step < images.front().pictures_by_step.size(); ++step) {
    summary.pictures_by_step.push_back(summary_after(step, images));
  }
  return summary;
}

RunRecord quality_record(RunRecord record, const std::string& reference_words) {
  record.quality_reference = reference_words;
  record.load_s.reset();
  record.prepare_s.reset();
  record.first_image_s.reset();
  record.first_image_it_s.reset();
  record.first_image.reset();
  record.partial_run.reset();
  record.unet_it_s.reset(); // an interrupted image has one
  record.s_per_it.reset();
  record.achieved_tflops.reset();
  record.warmup.reset();
  record.warmup_reason.clear();
  record.stop_reason.clear();
  record.flags.clear(); // flags are about a measurement, which did not take place
  for (const MeasuredFigure& figure : kMeasured) {
    if (is_figure(figure)) {
      std::visit([&](auto member) { record.*member = {}; }, figure.member);
    }
  }
  return record;
}

void fill_quality(RunRecord& record, const StudySummary& summary) {
  record.psnr_db_mean = summary.psnr_db_mean;
  record.psnr_db_min = summary.psnr_db_min;
  record.ssim_mean = summary.ssim_mean;
  record.ssim_min = summary.ssim_min;
  record.latents_nmse = summary.latents_nmse;
}

} // namespace sdbench
