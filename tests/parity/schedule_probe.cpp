// The noise schedule for test_scheduler.py. Each line of stdin is a JSON request, each line of
// stdout its answer:
//   {"timestep_spacing": "leading", "steps_offset": 1, "linear_betas": false, "karras": false,
//    "zero_snr": false, "steps": [1, 2, …]}
//   [{"timesteps": […], "sigmas": […], "init_noise_sigma": 14.6}, …]
#include <cstdint>
#include <cstdio>
#include <exception>
#include <iostream>
#include <string>

#include <ATen/ATen.h>

#include "sdbench/base/config/model_config.h"
#include "sdbench/base/core/json_io.h"
#include "sdbench/engine/pipeline/euler_discrete.h"

namespace {

using namespace sdbench;

SchedulerConfig scheduler_config(const Json& request) {
  SchedulerConfig config;
  config.beta_schedule =
      request.at("linear_betas").get<bool>() ? BetaSchedule::kLinear : BetaSchedule::kScaledLinear;
  const std::string spacing = request.at("timestep_spacing");
  config.timestep_spacing = spacing == "leading"    ? TimestepSpacing::kLeading
                            : spacing == "trailing" ? TimestepSpacing::kTrailing
                                                    : TimestepSpacing::kLinspace;
  config.steps_offset = request.at("steps_offset");
  config.use_karras_sigmas = request.at("karras");
  config.rescale_betas_zero_snr = request.at("zero_snr");
  return config;
}

Json answer(const Json& request) {
  const SchedulerConfig config = scheduler_config(request);
  Json schedules = Json::array();
  for (const std::int64_t steps : request.at("steps")) {
    const EulerDiscrete scheduler(config, steps);
    schedules.push_back({{"timesteps", scheduler.schedule().timesteps},
                         {"sigmas", scheduler.schedule().sigmas},
                         {"init_noise_sigma", scheduler.init_noise_sigma().item<float>()}});
  }
  return schedules;
}

} // namespace

int main() {
  try {
    for (std::string line; std::getline(std::cin, line);) {
      std::cout << answer(Json::parse(line)).dump() << std::endl;
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "schedule_probe: %s\n", error.what());
    return 1;
  }
  return 0;
}
