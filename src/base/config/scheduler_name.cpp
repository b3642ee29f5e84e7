#include "sdbench/base/config/scheduler_name.h"

#include <algorithm>
#include <iterator>

namespace sdbench {

std::string_view scheduler_name(bool karras) {
  return std::ranges::find(kSchedulers, karras, &SchedulerName::karras)->name;
}

bool is_karras(std::string_view sampler) {
  const auto* const found = std::ranges::find(kSchedulers, sampler, &SchedulerName::name);
  return found != std::end(kSchedulers) && found->karras;
}

std::vector<std::string> scheduler_choices() {
  return {"auto", std::string(kEuler)};
}

} // namespace sdbench
