#include "sdbench/base/record/card_state.h"

#include <algorithm>

#include "sdbench/base/record/record_field.h"
#include "sdbench/base/record/record_fields.h"

namespace sdbench {
namespace {

constexpr CardState kStates[] = {
    {"power_limit_w", "power limit ", " W"},
    {"ecc", "ECC ", ""},
    {"mig", "MIG ", ""},
    {"pcie_generation_used", "PCIe generation ", ""},
    {"pcie_width_used", "PCIe lanes ", ""},
};

std::string clock_of(const RunRecord& record) {
  return set_clock(record.throttle_reasons, field_text(record, field_named("sm_clock_hz_max")));
}

} // namespace

std::span<const CardState> card_states() {
  return kStates;
}

std::string set_clock(std::string_view throttle_reasons, std::string_view sm_clock_hz_max) {
  const bool is_set =
      throttle_reasons.find("applications_clocks_setting") != std::string_view::npos;
  return is_set ? std::string(sm_clock_hz_max) : "";
}

bool same_card_state(const RunRecord& a, const RunRecord& b) {
  const auto same = [&](const CardState& state) {
    const RecordField& field = field_named(state.field);
    return field_text(a, field) == field_text(b, field);
  };
  return std::ranges::all_of(card_states(), same) && clock_of(a) == clock_of(b);
}

} // namespace sdbench
