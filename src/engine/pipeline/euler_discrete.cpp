#include "sdbench/engine/pipeline/euler_discrete.h"
#include "sdbench/base/config/model_config.h"
#include "sdbench/engine/kernels/gpu_kernels.h"
#include "sdbench/engine/pipeline/noise_schedule.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

#include <ATen/ATen.h>

namespace sdbench {
namespace {

at::Tensor scalar(float value) {
  return at::scalar_tensor(value, at::kFloat);
}

at::Tensor make_init_noise_sigma(const SchedulerConfig& config, const NoiseSchedule& schedule) {
  const at::Tensor highest =
      scalar(*std::max_element(schedule.sigmas.begin(), schedule.sigmas.end()));
  return config.timestep_spacing == TimestepSpacing::kLeading ? (highest.pow(2) + 1).pow(0.5)
                                                              : highest;
}

} // namespace

EulerDiscrete::EulerDiscrete(const SchedulerConfig& config, std::int64_t steps)
    : DiffusionSampler(kName, make_noise_schedule(config, steps)),
      prediction_type_(config.prediction_type),
      init_noise_sigma_(make_init_noise_sigma(config, schedule())) {
  const std::vector<float>& sigmas = schedule().sigmas;
  for (std::size_t i = 0; i + 1 < sigmas.size(); ++i) {
    steps_.push_back(make_step(scalar(sigmas[i]), scalar(sigmas[i + 1])));
  }
}

EulerDiscrete::Step EulerDiscrete::make_step(const at::Tensor& sigma, const at::Tensor& next) {
  const at::Tensor variance = sigma.pow(2) + 1;
  const at::Tensor root = variance.pow(0.5);
  return {.sigma = sigma,
          .to_next = next - sigma,
          .input_scale = root,
          .output_factor = -sigma / root,
          .sample_divisor = variance};
}

const EulerDiscrete::Step& EulerDiscrete::at_step(std::int64_t step) const {
  return steps_.at(static_cast<std::size_t>(step));
}

at::Tensor EulerDiscrete::begin(const at::Tensor& noise) const {
  return noise * init_noise_sigma_;
}

at::Tensor EulerDiscrete::model_input(const at::Tensor& latents, std::int64_t step) const {
  return latents / at_step(step).input_scale;
}

at::Tensor EulerDiscrete::step(const at::Tensor& output, const at::Tensor& latents,
                               std::int64_t step, SamplerRun& /*run*/) const {
  const Step& now = at_step(step);
  const at::Tensor sample = latents.to(at::kFloat);
  const at::Tensor original = prediction_type_ == PredictionType::kEpsilon
                                  ? sample - now.sigma * output
                              : prediction_type_ == PredictionType::kSample
                                  ? output
                                  : output * now.output_factor + sample / now.sample_divisor;
  const at::Tensor derivative = (sample - original) / now.sigma;
  return (sample + derivative * now.to_next).to(output.scalar_type());
}

std::optional<LinearStep> EulerDiscrete::linear_step(std::int64_t step) const {
  const auto at = static_cast<std::size_t>(step);
  const double sigma = schedule().sigmas.at(at);
  const double next = schedule().sigmas.at(at + 1);
  const double variance = sigma * sigma + 1;
  LinearStep numbers;
  if (prediction_type_ == PredictionType::kVPrediction) {
    // (x - original) / sigma, where original = x / variance - output * sigma / sqrt(variance)
    numbers.from_output = static_cast<float>(1 / std::sqrt(variance));
    numbers.from_latents = static_cast<float>(sigma / variance);
  }
  if (prediction_type_ == PredictionType::kSample) { // (x - output) / sigma
    numbers.from_output = static_cast<float>(-1 / sigma);
    numbers.from_latents = static_cast<float>(1 / sigma);
  }
  numbers.to_next = static_cast<float>(next - sigma);
  numbers.next_scale = static_cast<float>(std::sqrt(next * next + 1));
  return numbers;
}

} // namespace sdbench
