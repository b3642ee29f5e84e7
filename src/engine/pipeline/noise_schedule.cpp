#include "sdbench/engine/pipeline/noise_schedule.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <ATen/ATen.h>

namespace sdbench {
namespace {

/// numpy.linspace(0, train_count - 1, steps), reversed; a single step stands at 0.
std::vector<float> linspace_timesteps(std::int64_t train_count, std::int64_t steps) {
  const double last = static_cast<double>(train_count - 1);
  std::vector<float> timesteps;
  for (std::int64_t i = steps - 1; i > 0; --i) {
    const double t = static_cast<double>(i) * (last / static_cast<double>(steps - 1));
    timesteps.push_back(static_cast<float>(i == steps - 1 ? last : t));
  }
  timesteps.push_back(0.0F);
  return timesteps;
}

std::vector<float> leading_timesteps(std::int64_t train_count, std::int64_t steps,
                                     std::int64_t offset) {
  const std::int64_t ratio = train_count / steps;
  std::vector<float> timesteps;
  for (std::int64_t i = steps - 1; i >= 0; --i) {
    timesteps.push_back(static_cast<float>(i * ratio + offset));
  }
  return timesteps;
}

/// numpy.arange(train_count, 0, -ratio). Its length is rounded up in floating point, so some counts
/// give one more.
std::vector<float> trailing_timesteps(std::int64_t train_count, std::int64_t steps) {
  const double start = static_cast<double>(train_count);
  const double ratio = start / static_cast<double>(steps);
  const auto count = static_cast<std::int64_t>(std::ceil(-start / -ratio));
  const double delta = (start - ratio) - start;
  std::vector<float> timesteps;
  for (std::int64_t i = 0; i < count; ++i) {
    const double t = start + static_cast<double>(i) * delta;
    timesteps.push_back(static_cast<float>(std::nearbyint(t)) - 1.0F);
  }
  return timesteps;
}

std::vector<float> make_timesteps(const SchedulerConfig& config, std::int64_t steps) {
  switch (config.timestep_spacing) {
  case TimestepSpacing::kLeading:
    return leading_timesteps(config.num_train_timesteps, steps, config.steps_offset);
  case TimestepSpacing::kTrailing:
    return trailing_timesteps(config.num_train_timesteps, steps);
  case TimestepSpacing::kLinspace:
    break;
  }
  return linspace_timesteps(config.num_train_timesteps, steps);
}

/// numpy.interp over the integers: linear between neighbours, constant beyond both ends.
double interpolate(const std::vector<float>& values, float position) {
  const double last = static_cast<double>(values.size() - 1);
  const double x = std::clamp(static_cast<double>(position), 0.0, last);
  const double low = std::min(std::floor(x), last - 1);
  const double at_low = values[static_cast<std::size_t>(low)];
  const double at_high = values[static_cast<std::size_t>(low) + 1];
  return x == last ? at_high : (at_high - at_low) * (x - low) + at_low;
}

/// Noise levels evenly spaced in sigma^(1/7), from the first to the last of `sigmas` (Karras et al.
/// 2022, eq. 5).
std::vector<double> karras_sigmas(const std::vector<double>& sigmas, std::int64_t steps) {
  constexpr double kRho = 7.0;
  const double from = std::pow(sigmas.front(), 1 / kRho);
  const double to = std::pow(sigmas.back(), 1 / kRho);
  std::vector<double> result;
  for (std::int64_t i = 0; i < steps; ++i) {
    const double ramp = i == 0 ? 0.0 : static_cast<double>(i) / static_cast<double>(steps - 1);
    result.push_back(std::pow(from + ramp * (to - from), kRho));
  }
  return result;
}

/// Inverse of the training schedule: the (fractional) timestep with noise `sigma`, by linear
/// interpolation in log sigma.
float timestep_of_sigma(double sigma, const std::vector<float>& log_sigmas) {
  const double log_sigma = std::log(std::max(sigma, 1e-10));
  const auto above = std::upper_bound(log_sigmas.begin(), log_sigmas.end(), log_sigma,
                                      [](double a, float b) { return a < static_cast<double>(b); });
  const auto below = std::max<std::ptrdiff_t>(0, above - log_sigmas.begin() - 1);
  const auto low = std::min<std::size_t>(static_cast<std::size_t>(below), log_sigmas.size() - 2);
  const double at_low = log_sigmas[low];
  const double width = log_sigmas[low] - log_sigmas[low + 1];
  const double w = std::clamp((at_low - log_sigma) / width, 0.0, 1.0);
  return static_cast<float>((1 - w) * static_cast<double>(low) + w * static_cast<double>(low + 1));
}

/// Part of the signal's variance left at `time`, 0 to 1 (Nichol and Dhariwal 2021, eq. 17).
double squared_cosine(double time) {
  return std::pow(std::cos((time + 0.008) / 1.008 * std::numbers::pi / 2), 2);
}

at::Tensor squared_cosine_betas(std::int64_t train_count) {
  constexpr double kMostBeta = 0.999; // else the last would be 1, and its sigma infinite
  const auto count = static_cast<double>(train_count);
  std::vector<double> betas;
  for (std::int64_t i = 0; i < train_count; ++i) {
    const double left = squared_cosine(static_cast<double>(i + 1) / count) /
                        squared_cosine(static_cast<double>(i) / count);
    betas.push_back(std::min(1 - left, kMostBeta));
  }
  return at::tensor(betas, at::kFloat);
}

/// Uses libtorch's own operators, so that linspace rounds like diffusers'.
at::Tensor training_betas(const SchedulerConfig& config) {
  const std::int64_t count = config.num_train_timesteps;
  switch (config.beta_schedule) {
  case BetaSchedule::kSquaredCosCapV2:
    return squared_cosine_betas(count);
  case BetaSchedule::kScaledLinear:
    return at::linspace(std::sqrt(config.beta_start), std::sqrt(config.beta_end), count, at::kFloat)
        .pow(2);
  case BetaSchedule::kLinear:
    break;
  }
  return at::linspace(config.beta_start, config.beta_end, count, at::kFloat);
}

/// Betas whose cumulative alphas end at zero and keep their first value (Lin et al. 2024, algorithm
/// 1). Rounds in each step like diffusers.
at::Tensor with_zero_terminal_snr(const at::Tensor& alphas_bar) {
  const at::Tensor roots = alphas_bar.sqrt();
  const at::Tensor first = roots[0];
  const at::Tensor last = roots[-1];
  const at::Tensor rescaled = ((roots - last) * (first / (first - last))).pow(2);
  const at::Tensor alphas = rescaled.slice(0, 1) / rescaled.slice(0, 0, -1);
  return 1 - at::cat({rescaled.slice(0, 0, 1), alphas});
}

} // namespace

NoiseSchedule make_noise_schedule(const SchedulerConfig& config, std::int64_t steps) {
  const std::vector<float> training = training_sigmas(config);
  NoiseSchedule schedule;
  schedule.timesteps = make_timesteps(config, steps);
  std::vector<double> sigmas;
  sigmas.reserve(schedule.timesteps.size());
  for (const float timestep : schedule.timesteps) {
    sigmas.push_back(interpolate(training, timestep));
  }
  if (config.use_karras_sigmas) {
    sigmas = karras_sigmas(sigmas, steps);
    std::vector<float> log_sigmas;
    log_sigmas.reserve(training.size());
    for (const float sigma : training) {
      log_sigmas.push_back(std::log(sigma));
    }
    schedule.timesteps.clear();
    for (const double sigma : sigmas) {
      schedule.timesteps.push_back(timestep_of_sigma(sigma, log_sigmas));
    }
  }
  schedule.sigmas.assign(sigmas.begin(), sigmas.end());
  schedule.sigmas.push_back(0.0F);
  return schedule;
}

std::vector<float> training_sigmas(const SchedulerConfig& config) {
  at::Tensor alphas_bar = (1.0 - training_betas(config)).cumprod(0);
  if (config.rescale_betas_zero_snr) {
    constexpr double kAlmostZero = 0x1p-24; // diffusers' value; no sigma becomes infinite
    alphas_bar = (1.0 - with_zero_terminal_snr(alphas_bar)).cumprod(0);
    alphas_bar[-1] = kAlmostZero;
  }
  const at::Tensor sigmas = ((1 - alphas_bar) / alphas_bar).pow(0.5).contiguous();
  const float* data = sigmas.const_data_ptr<float>();
  return {data, data + sigmas.numel()};
}

} // namespace sdbench
