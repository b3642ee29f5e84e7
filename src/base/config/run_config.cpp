#include "sdbench/base/config/run_config.h"

#include "sdbench/base/text/named.h"

namespace sdbench {
namespace {

constexpr Named<TimestepSpacing> kSpacings[] = {{TimestepSpacing::kLeading, "leading"},
                                                {TimestepSpacing::kLinspace, "linspace"},
                                                {TimestepSpacing::kTrailing, "trailing"}};

} // namespace

std::string_view name_of(TimestepSpacing spacing) {
  return name_in(kSpacings, spacing);
}

std::optional<TimestepSpacing> timestep_spacing_from_name(std::string_view name) {
  return value_named(kSpacings, name);
}

} // namespace sdbench
