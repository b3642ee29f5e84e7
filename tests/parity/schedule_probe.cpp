// The noise schedule for test_scheduler.py. Each line of stdin is a JSON request, each line of
// stdout its answer:
//   {"config": what scheduler_config.json holds, "steps": [1, 2, …]}
//   [{"timesteps": […], "sigmas": […], "init_noise_sigma": 14.6}, …]
#include <cstdint>
#include <cstdio>
#include <exception>
#include <iostream>
#include <optional>
#include <string>

#include <ATen/ATen.h>

#include "sdbench/base/config/component_configs.h"
#include "sdbench/base/config/model_config.h"
#include "sdbench/base/config/model_family_table.h"
#include "sdbench/base/files/json_io.h"
#include "sdbench/engine/pipeline/euler_discrete.h"

namespace {

using namespace sdbench;

Json answer(const Json& request) {
  // SDXL's pipeline takes a config as it is.
  const SchedulerConfig config = parse_scheduler_config(
      request.at("config"), std::nullopt, PipelineClass::kStableDiffusionXl, "scheduler");
  Json schedules = Json::array();
  for (const std::int64_t steps : request.at("steps")) {
    const EulerDiscrete scheduler(config, steps);
    schedules.push_back({{"timesteps", scheduler.schedule().timesteps},
                         {"sigmas", scheduler.schedule().sigmas},
                         {"init_noise_sigma", scheduler.begin(at::ones({1})).item<float>()}});
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
