#include "sdbench/base/config/scheduler_name.h"

namespace sdbench {

std::string scheduler_name(const SchedulerName& scheduler) {
  return std::string(scheduler.sampler.name) + (scheduler.karras ? "_karras" : "");
}

SchedulerName scheduler_named(std::string_view name) {
  for (const SamplerRow& sampler : kSamplers) {
    for (const bool karras : {false, true}) {
      if (scheduler_name({sampler, karras}) == name) {
        return {sampler, karras};
      }
    }
  }
  return {kUsualSampler, false};
}

std::vector<std::string> scheduler_choices() {
  std::vector<std::string> choices{"auto"};
  for (const SamplerRow& sampler : kSamplers) {
    choices.emplace_back(sampler.name);
  }
  return choices;
}

} // namespace sdbench
