#include "sdbench/front/record/confidence.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sdbench/base/executor/run_sample.h"
#include "sdbench/base/numbers/statistics.h"
#include "sdbench/front/record/flags.h"
#include "sdbench/front/record/run_times.h"
#include "sdbench/front/record/student_t.h"
#include "sdbench/front/record/trend.h"

namespace sdbench {
namespace {

void fill_noise(RunRecord& record, const std::vector<double>& e2e_s,
                std::optional<double> max_noise) {
  record.noise = relative_standard_error(e2e_s);
  if (!record.noise) {
    return;
  }
  const double reach = *ci95_half_width(e2e_s) / *mean(e2e_s);
  if (reach > kNoisyBeyond || (max_noise && *record.noise >= *max_noise)) {
    add_flag(record, "noisy");
  }
}

/// Number of outliers; nothing if there are too few samples to judge.
std::optional<std::int64_t> outliers_of(std::span<const double> samples) {
  return samples.size() < kSamplesForOutliers ? std::nullopt
                                              : std::optional(count_outliers(samples));
}

/// Steps per batch. A run may have several batches, each with all steps.
std::size_t steps_of_a_batch(const RunRecord& record, std::size_t of_the_run) {
  const auto calls =
      static_cast<std::size_t>(std::max<std::int64_t>(record.unet_calls.value_or(0), 0));
  return calls > 0 ? calls : std::max<std::size_t>(of_the_run, 1);
}

/// Leaves out an epoch's last batch if it is smaller: it takes less time, but is not an outlier.
std::size_t whole_batches(const RunRecord& record, std::size_t count) {
  const std::int64_t batch = std::max<std::int64_t>(record.batch, 1);
  const auto whole = static_cast<std::size_t>(record.images / batch);
  return record.epochs && count == whole + 1 ? whole : count;
}

/// Number of slow steps. Compares first steps with each other, and later steps with each other. A
/// first step is always the slowest, because it includes the work per prompt and, on a GPU, the
/// host's head start.
std::optional<std::int64_t> step_outliers_of(const RunRecord& record) {
  std::vector<double> firsts;
  std::vector<double> others;
  const auto sort_out = [&](std::span<const double> all) {
    const auto steps = all.first(whole_batches(record, all.size()));
    const std::size_t of_a_batch = steps_of_a_batch(record, steps.size());
    for (std::size_t i = 0; i < steps.size(); ++i) {
      (i % of_a_batch == 0 ? firsts : others).push_back(steps[i]);
    }
  };
  for (const RunSample& sample : record.samples) {
    sort_out(sample.step_s);
  }
  if (record.samples.empty()) {
    sort_out(timed_steps(record)); // steps of the run that was cut short
  }
  const std::optional<std::int64_t> of_firsts = outliers_of(firsts);
  const std::optional<std::int64_t> of_others = outliers_of(others);
  return of_firsts || of_others ? std::optional(of_firsts.value_or(0) + of_others.value_or(0))
                                : std::nullopt;
}

void fill_outliers(RunRecord& record, const std::vector<double>& e2e_s, bool is_sum) {
  record.run_outliers = outliers_of(e2e_s);
  record.step_outliers = is_sum ? std::nullopt : step_outliers_of(record);
  if (record.run_outliers.value_or(0) + record.step_outliers.value_or(0) > 0) {
    add_flag(record, "outliers");
  }
}

void fill_drift(RunRecord& record, const std::vector<double>& step_s) {
  const std::optional<Trend> trend = rising_trend(step_s);
  if (!trend) {
    return;
  }
  record.drift = trend->change;
  record.drift_p = trend->p_value;
  if (trend->change > kDriftBeyond && trend->p_value < kDriftChance) {
    add_flag(record, "drift");
  }
}

} // namespace

std::optional<Interval> rate_interval(double amount, std::span<const double> times) {
  const std::optional<double> half_width = ci95_half_width(times);
  if (!half_width || !(*half_width < *mean(times))) {
    return std::nullopt;
  }
  return Interval{amount / (*mean(times) + *half_width), amount / (*mean(times) - *half_width)};
}

void set_intervals(RunRecord& record, const char* covers, std::span<const double> s_per_it,
                   std::span<const double> s_per_image) {
  constexpr double kSecondsPerMinute = 60;
  const auto iterations = rate_interval(1, s_per_it);
  const auto images = rate_interval(kSecondsPerMinute, s_per_image);
  const auto end = [](const std::optional<Interval>& interval, double Interval::*which) {
    return interval ? std::optional(*interval.*which) : std::nullopt;
  };
  record.unet_it_s_ci95_low = end(iterations, &Interval::low);
  record.unet_it_s_ci95_high = end(iterations, &Interval::high);
  record.images_per_min_ci95_low = end(images, &Interval::low);
  record.images_per_min_ci95_high = end(images, &Interval::high);
  const bool any = iterations || images;
  record.ci95_covers = any ? covers : "";
  record.ci95_count =
      any ? std::optional(static_cast<std::int64_t>(s_per_image.size())) : std::nullopt;
}

void fill_confidence(RunRecord& record, std::optional<double> max_noise) {
  std::vector<double> s_per_it;
  std::vector<double> s_per_image;
  const bool is_sum = record.parallel_role == kRoleSum; // has the steps of only one device
  for (const RunSample& sample : record.samples) {
    const std::optional<double> unet_s = seconds_of(sample, kUNetPart);
    if (unet_s && !is_sum) {
      s_per_it.push_back(*unet_s / static_cast<double>(sample.step_s.size()));
    }
    s_per_image.push_back(sample.e2e_s / static_cast<double>(record.images));
  }
  set_intervals(record, "within-run", s_per_it, s_per_image);
  const std::vector<double> e2e_s = times_of_runs(record);
  const std::vector<double> step_s = is_sum ? std::vector<double>() : timed_steps(record);
  fill_noise(record, e2e_s, max_noise);
  fill_outliers(record, e2e_s, is_sum);
  fill_drift(record, step_s);
}

} // namespace sdbench
