#include "sdbench/base/config/sampler_table.h"

#include <algorithm>
#include <iterator>

#include "sdbench/base/errors/error.h"
#include "sdbench/base/text/in_quotes.h"
#include "sdbench/base/text/listed.h"

namespace sdbench {

std::vector<std::string> sampler_names() {
  return mapped<std::string>(kSamplers, &SamplerRow::name);
}

const SamplerRow& sampler_named(std::string_view name) {
  const auto* const found = std::ranges::find(kSamplers, name, &SamplerRow::name);
  if (found == std::end(kSamplers)) {
    throw Error("the sampler must be " + listed(sampler_names()) + ", but is " + in_quotes(name) +
                "; take a front and a worker of one version");
  }
  return *found;
}

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
