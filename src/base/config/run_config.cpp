#include "sdbench/base/config/run_config.h"

#include <array>

namespace sdbench {
namespace {

constexpr std::array kAllSpacings = {TimestepSpacing::kLeading, TimestepSpacing::kLinspace,
                                     TimestepSpacing::kTrailing};

} // namespace

std::string_view name_of(TimestepSpacing spacing) {
  switch (spacing) {
  case TimestepSpacing::kLeading:
    return "leading";
  case TimestepSpacing::kLinspace:
    return "linspace";
  case TimestepSpacing::kTrailing:
    return "trailing";
  }
  return {};
}

std::optional<TimestepSpacing> timestep_spacing_from_name(std::string_view name) {
  for (const TimestepSpacing spacing : kAllSpacings) {
    if (name_of(spacing) == name) {
      return spacing;
    }
  }
  return std::nullopt;
}

} // namespace sdbench
