#include "sdbench/front/record/run_times.h"

#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <utility>

#include "sdbench/base/executor/executor.h"
#include "sdbench/base/executor/run_sample.h"
#include "sdbench/base/executor/stopping.h"
#include "sdbench/base/numbers/statistics.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/base/types/cell_stage.h"
#include "sdbench/base/types/task_table.h"
#include "sdbench/front/record/flags.h"

namespace sdbench {
namespace {

/// A time that was measured, or nothing: an unmeasured one is zero.
std::optional<double> measured(double seconds) {
  return seconds > 0 ? std::optional(seconds) : std::nullopt;
}

/// amount / seconds; nothing if either is not above zero.
std::optional<double> rate(double amount, double seconds) {
  return amount > 0 && seconds > 0 ? std::optional(amount / seconds) : std::nullopt;
}

double sum(const std::vector<double>& times) {
  return std::accumulate(times.begin(), times.end(), 0.0);
}

/// The record's fields for the statistics of one time of a run.
struct RunFigures {
  using Figure = std::optional<double> RunRecord::*;
  Figure mean;
  Figure median;
  Figure min;
  Figure max;
  Figure sd;
};

using R = RunRecord;
/// The parts that have fields in the record. Times of other parts are kept as raw times, without
/// statistics.
constexpr std::pair<std::string_view, RunFigures> kParts[] = {
    {kTextPart, {&R::text_s, &R::text_s_median, &R::text_s_min, &R::text_s_max, &R::text_s_sd}},
    {kUNetPart, {&R::unet_s, &R::unet_s_median, &R::unet_s_min, &R::unet_s_max, &R::unet_s_sd}},
    {kVaePart, {&R::vae_s, &R::vae_s_median, &R::vae_s_min, &R::vae_s_max, &R::vae_s_sd}},
};
constexpr RunFigures kWholeRun = {&R::e2e_s, &R::e2e_s_median, &R::e2e_s_min, &R::e2e_s_max,
                                  &R::e2e_s_sd};

void fill_figures(RunRecord& record, const RunFigures& figures, const std::vector<double>& times) {
  record.*figures.mean = mean(times);
  record.*figures.median = median(times);
  record.*figures.min = percentile(times, 0);
  record.*figures.max = percentile(times, 100);
  record.*figures.sd = sample_sd(times);
}

void fill_run_statistics(RunRecord& record) {
  for (const auto& [part, figures] : kParts) {
    fill_figures(record, figures, times_of_part(record, part));
  }
  record.all_reduce_s = mean(times_of_part(record, kAllReducePart));
  fill_whole_runs(record);
}

void fill_step_statistics(RunRecord& record, const std::vector<double>& step_s) {
  record.step_count = static_cast<std::int64_t>(step_s.size());
  record.step_s_mean = mean(step_s);
  record.step_s_sd = sample_sd(step_s);
  record.step_s_min = percentile(step_s, 0);
  record.step_s_max = percentile(step_s, 100);
  record.step_s_p50 = percentile(step_s, 50);
  record.step_s_p90 = percentile(step_s, 90);
  // With fewer samples, the 99th percentile is almost the maximum.
  constexpr std::size_t kSamplesForP99 = 100;
  if (step_s.size() >= kSamplesForP99) {
    record.step_s_p99 = percentile(step_s, 99);
  }
}

void fill_unet_rates(RunRecord& record, double iterations, double unet_s) {
  record.unet_it_s = rate(iterations, unet_s);
  record.s_per_it = rate(unet_s, iterations);
  if (record.unet_tflop && record.unet_it_s) {
    record.achieved_tflops = *record.unet_tflop * *record.unet_it_s;
  }
}

/// True if the work may have a UNet. A partial run has no times of parts, so asks the first run.
bool may_have_unet(const RunRecord& record, const CellResult& result) {
  return makes_images(task_row_of(record.task).task) &&
         (result.first_image.parts.empty() || seconds_of(result.first_image, kUNetPart));
}

void fill_first_image(RunRecord& record, const RunSample& first) {
  if (first.e2e_s > 0) {
    record.first_image = first;
    record.first_image_s = first.e2e_s;
    const double seconds = makes_images(task_row_of(record.task).task)
                               ? seconds_of(first, kUNetPart).value_or(0)
                               : sum(first.step_s);
    record.first_image_it_s = rate(static_cast<double>(first.step_s.size()), seconds);
  } else if (record.partial_run && record.partial_run->stage == name_of(CellStage::kFirstImage)) {
    const std::vector<double>& step_s = record.partial_run->step_s;
    record.first_image_it_s = rate(static_cast<double>(step_s.size()), sum(step_s));
  }
}

} // namespace

std::vector<double> times_of_runs(const RunRecord& record) {
  return mapped(record.samples, &RunSample::e2e_s);
}

std::vector<double> times_of_part(const RunRecord& record, std::string_view part) {
  std::vector<double> times;
  for (const RunSample& sample : record.samples) {
    const std::optional<double> seconds = seconds_of(sample, part);
    if (!seconds) {
      return {};
    }
    times.push_back(*seconds);
  }
  return times;
}

std::vector<double> timed_steps(const RunRecord& record) {
  std::vector<double> steps;
  for (const RunSample& sample : record.samples) {
    steps.insert(steps.end(), sample.step_s.begin(), sample.step_s.end());
  }
  if (record.samples.empty() && record.partial_run &&
      record.partial_run->stage == name_of(CellStage::kMeasure)) {
    steps = record.partial_run->step_s;
  }
  return steps;
}

void fill_epochs(RunRecord& record) {
  if (!record.epochs) {
    return;
  }
  std::vector<double> epochs_s = times_of_runs(record);
  if (record.first_image_s) { // a single epoch has no run before it
    epochs_s.insert(epochs_s.begin(), *record.first_image_s);
  }
  if (epochs_s.empty()) {
    return;
  }
  record.epoch_s_first = epochs_s.front();
  record.epoch_s_median = median(std::span(epochs_s).subspan(1));
  record.train_s = sum(epochs_s);
}

void fill_whole_runs(RunRecord& record) {
  const std::vector<double> e2e_s = times_of_runs(record);
  fill_figures(record, kWholeRun, e2e_s);
  record.e2e_s_median_excl_first = median(std::span(e2e_s).subspan(1));
  const double images = static_cast<double>(record.repeat * record.images);
  const double pixels = images * static_cast<double>(record.width * record.height);
  constexpr double kSecondsPerMinute = 60;
  constexpr double kMega = 1e6;
  record.images_per_min = rate(images * kSecondsPerMinute, sum(e2e_s));
  record.images_per_min_mean_of_runs = mean(mapped(e2e_s, [&](double seconds) {
    return static_cast<double>(record.images) * kSecondsPerMinute / seconds;
  }));
  if (!makes_images(task_row_of(record.task).task)) {
    record.images_per_s = rate(images, sum(e2e_s));
  }
  record.megapixels_per_s = rate(pixels / kMega, sum(e2e_s));
}

void fill_times(RunRecord& record, const CellResult& result) {
  record.samples = result.samples;
  record.partial_run = result.partial_run;
  record.repeat = static_cast<std::int64_t>(result.samples.size());
  record.load_s = measured(result.load_s);
  record.prepare_s = measured(result.prepare_s);
  fill_first_image(record, result.first_image);
  fill_epochs(record);
  const std::vector<double> step_s = timed_steps(record);
  const auto iterations = static_cast<double>(step_s.size());
  if (!step_s.empty()) {
    fill_step_statistics(record, step_s);
  }
  if (result.samples.empty()) {
    if (may_have_unet(record, result)) {
      fill_unet_rates(record, iterations, sum(step_s));
    }
    if (result.partial_run || result.stop_reason == name_of(StopReason::kMaxTime)) {
      add_flag(record, "partial");
    }
    return;
  }
  if (record.epochs && !record.first_image) { // nothing came before what was timed
    add_flag(record, "cold");
  }
  fill_unet_rates(record, iterations, sum(times_of_part(record, kUNetPart)));
  fill_run_statistics(record);
  record.e2e_it_s = rate(iterations, sum(times_of_runs(record)));
}

} // namespace sdbench
