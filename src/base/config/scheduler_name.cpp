#include "sdbench/base/config/scheduler_name.h"

namespace sdbench {

std::string_view noise_levels(bool karras) {
  return karras ? kKarrasLevels : kTrainingLevels;
}

std::string sampler_word(std::string_view scheduler, std::string_view noise_levels) {
  return std::string(scheduler) + (noise_levels == kKarrasLevels ? "_karras" : "");
}

std::vector<std::string> scheduler_choices() {
  return {"auto", std::string(kEuler)};
}

} // namespace sdbench
