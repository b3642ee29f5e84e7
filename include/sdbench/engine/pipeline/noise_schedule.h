#pragma once

#include <cstdint>
#include <vector>

#include "sdbench/base/config/model_config.h"

namespace sdbench {

/// The timesteps at which a run calls the UNet, and the amount of noise in the latents at each
/// timestep.
struct NoiseSchedule {
  std::vector<float> timesteps; ///< descending, one for each step; with trailing spacing, some
                                ///< numbers of steps give one timestep more
  std::vector<float> sigmas;    ///< standard deviation of the noise at each timestep, then 0
};

/// Computes the schedule of diffusers' EulerDiscreteScheduler.set_timesteps: in fp32 where
/// diffusers uses torch, in double where it uses numpy. `steps`: at least 1. `config` says which
/// timestep spacing to use, and whether to use Karras sigmas.
[[nodiscard]] NoiseSchedule make_noise_schedule(const SchedulerConfig& config, std::int64_t steps);

/// The sigma of each training timestep, fp32: sqrt((1 - abar) / abar), where abar is the cumulative
/// product of 1 - beta.
[[nodiscard]] std::vector<float> training_sigmas(const SchedulerConfig& config);

} // namespace sdbench
