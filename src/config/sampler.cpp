#include "sdbench/config/sampler.h"

#include <algorithm>
#include <iterator>

namespace sdbench {

std::string_view sampler_name(bool karras) {
  return std::ranges::find(kSamplers, karras, &Sampler::karras)->name;
}

bool is_karras(std::string_view sampler) {
  const auto* const found = std::ranges::find(kSamplers, sampler, &Sampler::name);
  return found != std::end(kSamplers) && found->karras;
}

std::vector<std::string> scheduler_choices() {
  return {"auto", std::string(kEuler)};
}

} // namespace sdbench
