#pragma once

#include <optional>
#include <string_view>

namespace sdbench {

/// Properties of a unit that are needed to compare, check or explain values.
struct FieldUnit {
  std::string_view name;
  std::optional<bool> more_is_better; ///< nullopt: neither direction is better
  bool is_rate = false;
  bool is_amount = false; ///< never negative
  bool is_figure = false; ///< a result of measuring, not a setting
};

inline constexpr FieldUnit kFieldUnits[] = {
    {"it/s", true, true, true, true},
    {"images/s", true, true, true, true},
    {"images/min", true, true, true, true},
    {"1/min", true, true, true, true},
    {"MP/s", true, true, true, true},
    {"TFLOP/s", true, true, true, true},
    {"GB/s", true, true, true, true},
    {"s", false, false, true, true},
    {"s/it", false, false, true, true},
    {"J", false, false, true, true},
    {"W", false, false, true, true},
    {"bytes", false, false, true, true},
    {"Hz", std::nullopt, false, true, true},
    {"%", std::nullopt, false, false, true},
    {"degC", std::nullopt, false, false, true},
    {"dB", true},
    {"TFLOP", std::nullopt, false, true, false},
    {"px", std::nullopt, false, true, false},
};

/// The properties of a unit. For a unit that is not in kFieldUnits, neither larger nor smaller
/// values are better, and values may be negative.
[[nodiscard]] constexpr FieldUnit field_unit(std::string_view name) {
  for (const FieldUnit& unit : kFieldUnits) {
    if (unit.name == name) {
      return unit;
    }
  }
  return {.name = name, .more_is_better = std::nullopt};
}

} // namespace sdbench
