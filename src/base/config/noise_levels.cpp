#include "sdbench/base/config/noise_levels.h"

#include "sdbench/base/config/sampler_table.h"

namespace sdbench {

std::string_view noise_levels(bool karras) {
  return karras ? kKarrasLevels : kTrainingLevels;
}

std::string sampler_word(std::string_view scheduler, std::string_view noise_levels) {
  return std::string(scheduler) + (noise_levels == kKarrasLevels ? "_karras" : "");
}

std::vector<std::string> scheduler_choices() {
  std::vector<std::string> choices = sampler_names();
  choices.insert(choices.begin(), "auto");
  return choices;
}

} // namespace sdbench
