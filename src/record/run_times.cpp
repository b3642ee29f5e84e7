#include "sdbench/record/run_times.h"

#include "sdbench/core/statistics.h"

namespace sdbench {
namespace {

/// A time that was measured, or nothing: an unmeasured one is zero.
std::optional<double> measured(double seconds) {
  return seconds > 0 ? std::optional(seconds) : std::nullopt;
}

/// amount / seconds, where there was a time to divide by.
std::optional<double> rate(double amount, double seconds) {
  return amount > 0 && seconds > 0 ? std::optional(amount / seconds) : std::nullopt;
}

/// Sums over the timed runs.
struct Totals {
  double runs = 0;
  double text_s = 0;
  double unet_s = 0;
  double vae_s = 0;
  double e2e_s = 0;
  std::vector<double> step_s;
};

Totals sum(const std::vector<RunSample>& samples) {
  Totals totals;
  for (const RunSample& sample : samples) {
    totals.runs += 1;
    totals.text_s += sample.text_s;
    totals.unet_s += sample.unet_s;
    totals.vae_s += sample.vae_s;
    totals.e2e_s += sample.e2e_s;
    totals.step_s.insert(totals.step_s.end(), sample.step_s.begin(), sample.step_s.end());
  }
  return totals;
}

void fill_means(RunRecord& record, const Totals& totals) {
  record.text_s = totals.text_s / totals.runs;
  record.unet_s = totals.unet_s / totals.runs;
  record.vae_s = totals.vae_s / totals.runs;
  record.e2e_s = totals.e2e_s / totals.runs;
}

void fill_step_statistics(RunRecord& record, const std::vector<double>& step_s) {
  record.step_s_mean = mean(step_s);
  record.step_s_sd = sample_sd(step_s);
  record.step_s_p50 = percentile(step_s, 50);
  record.step_s_p90 = percentile(step_s, 90);
  // Below this the 99th percentile is little else than the maximum.
  constexpr std::size_t kSamplesForP99 = 100;
  if (step_s.size() >= kSamplesForP99) {
    record.step_s_p99 = percentile(step_s, 99);
  }
}

void fill_rates(RunRecord& record, const Totals& totals) {
  const double iterations = static_cast<double>(totals.step_s.size());
  const double images = totals.runs * static_cast<double>(record.images);
  const double pixels = images * static_cast<double>(record.width * record.height);
  constexpr double kSecondsPerMinute = 60;
  constexpr double kMega = 1e6;
  record.unet_it_s = rate(iterations, totals.unet_s);
  record.s_per_it = rate(totals.unet_s, iterations);
  record.e2e_it_s = rate(iterations, totals.e2e_s);
  record.images_per_min = rate(images * kSecondsPerMinute, totals.e2e_s);
  record.megapixels_per_s = rate(pixels / kMega, totals.e2e_s);
  if (record.unet_tflop && record.unet_it_s) {
    record.achieved_tflops = *record.unet_tflop * *record.unet_it_s;
  }
}

} // namespace

void fill_times(RunRecord& record, const CellResult& result) {
  record.load_s = measured(result.load_s);
  if (result.first_image.e2e_s > 0) {
    record.first_image = result.first_image;
    record.first_image_s = result.first_image.e2e_s;
    record.first_image_it_s =
        rate(static_cast<double>(result.first_image.step_s.size()), result.first_image.unet_s);
  }
  record.samples = result.samples;
  record.repeat = static_cast<std::int64_t>(result.samples.size());
  if (result.samples.empty()) {
    return;
  }
  const Totals totals = sum(result.samples);
  fill_means(record, totals);
  fill_step_statistics(record, totals.step_s);
  fill_rates(record, totals);
}

} // namespace sdbench
