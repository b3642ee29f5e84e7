#pragma once

#include <cstdint>
#include <vector>

#include "sdbench/base/config/model_config.h"

namespace sdbench {

/// The timesteps at which a run calls the UNet, and the noise in the latents then.
struct NoiseSchedule {
  std::vector<float>
      timesteps; ///< descending; `steps` of them, one more for some counts with trailing spacing
  std::vector<float> sigmas; ///< standard deviation of the noise at each timestep, then 0
};

/// The schedule of diffusers' EulerDiscreteScheduler.set_timesteps: fp32 where torch computes in
/// fp32, double where numpy does. `steps` is at least 1; spacing and Karras are taken from the
/// config.
[[nodiscard]] NoiseSchedule make_noise_schedule(const SchedulerConfig& config, std::int64_t steps);

/// sqrt((1 - abar) / abar) at each of the training timesteps, fp32.
[[nodiscard]] std::vector<float> training_sigmas(const SchedulerConfig& config);

} // namespace sdbench
