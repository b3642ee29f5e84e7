#pragma once

#include <string_view>
#include <vector>

#include <ATen/core/Tensor.h>

#include "sdbench/engine/pipeline/diffusion_sampler.h"

namespace sdbench {

/// diffusers' EulerDiscreteScheduler, with the same operators in the same order. Scalars are
/// 0-dimensional fp32 tensors on the CPU. Operators on a CPU round such a scalar to the other
/// operand's dtype if that operand is in half precision. Operators on a GPU need neither a copy of
/// the scalar nor a synchronisation.
class EulerDiscrete final : public DiffusionSampler {
public:
  static constexpr std::string_view kName = "euler";

  EulerDiscrete(const SchedulerConfig& config, std::int64_t steps);

  /// Scales the noise to the standard deviation with which the schedule begins.
  [[nodiscard]] at::Tensor begin(const at::Tensor& noise) const override;
  /// The result has about unit variance.
  [[nodiscard]] at::Tensor model_input(const at::Tensor& latents, std::int64_t step) const override;
  /// Computed in fp32.
  [[nodiscard]] at::Tensor step(const at::Tensor& output, const at::Tensor& latents,
                                std::int64_t step, SamplerRun& run) const override;
  [[nodiscard]] std::optional<LinearStep> linear_step(std::int64_t step) const override;

private:
  struct Step {
    at::Tensor sigma;
    at::Tensor to_next;        ///< next sigma - sigma
    at::Tensor input_scale;    ///< sqrt(sigma^2 + 1)
    at::Tensor output_factor;  ///< v-prediction: -sigma / sqrt(sigma^2 + 1)
    at::Tensor sample_divisor; ///< v-prediction: sigma^2 + 1
  };
  [[nodiscard]] static Step make_step(const at::Tensor& sigma, const at::Tensor& next);
  [[nodiscard]] const Step& at_step(std::int64_t step) const;

  PredictionType prediction_type_;
  std::vector<Step> steps_;
  at::Tensor init_noise_sigma_; ///< standard deviation of the first latents
};

} // namespace sdbench
