#pragma once

#include <vector>

#include <ATen/core/Tensor.h>

#include "sdbench/engine/kernels/gpu_kernels.h"
#include "sdbench/engine/pipeline/noise_schedule.h"

namespace sdbench {

/// diffusers' EulerDiscreteScheduler for one run, as a value: no step counter inside, the caller
/// says which step it is. Operator for operator the oracle's, scalars as 0-dimensional fp32 tensors
/// on the CPU: those are rounded to a half precision operand's dtype on a CPU, and cost a GPU
/// neither a copy nor a synchronisation.
class EulerDiscrete {
public:
  EulerDiscrete(const SchedulerConfig& config, std::int64_t steps);

  [[nodiscard]] std::int64_t step_count() const { return static_cast<std::int64_t>(steps_.size()); }
  [[nodiscard]] const NoiseSchedule& schedule() const { return schedule_; }
  /// Standard deviation of the initial noise.
  [[nodiscard]] const at::Tensor& init_noise_sigma() const { return init_noise_sigma_; }
  /// Latents as the UNet wants them, about unit variance. Shape and dtype kept.
  [[nodiscard]] at::Tensor scale_model_input(const at::Tensor& latents, std::int64_t step) const;
  /// Latents after `step`, in the dtype of `model_output`; computed in fp32.
  [[nodiscard]] at::Tensor step(const at::Tensor& model_output, const at::Tensor& latents,
                                std::int64_t step) const;

  /// The same step for a kernel that computes it whole, without guidance.
  [[nodiscard]] EulerNumbers numbers(std::int64_t step) const;

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

  NoiseSchedule schedule_;
  PredictionType prediction_type_;
  std::vector<Step> steps_;
  at::Tensor init_noise_sigma_;
};

} // namespace sdbench
