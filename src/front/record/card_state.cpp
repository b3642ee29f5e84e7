#include "sdbench/front/record/card_state.h"

#include <algorithm>

#include "sdbench/front/record/field_access.h"
#include "sdbench/front/record/record_field.h"

namespace sdbench {
namespace {

constexpr CardState kStates[] = {
    {"power_limit_w", "power limit ", " W", false},
    {"ecc", "ECC ", "", false},
    {"mig", "MIG ", "", false},
    {kLinkGeneration, "PCIe generation ", "", true},
    {"pcie_width_used", "PCIe lanes ", "", true},
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

bool is_of_telemetry_alone(FieldName field) {
  return std::ranges::any_of(kStates, [&](const CardState& state) {
    return state.field == field && state.is_of_telemetry;
  });
}

bool same_card_state(const RunRecord& a, const RunRecord& b, bool counts_generation) {
  const auto fit = [](const std::string& ours, const std::string& theirs) {
    return ours == theirs || ours.empty() || theirs.empty();
  };
  const auto same = [&](const CardState& state) {
    if (state.field == kLinkGeneration && !counts_generation) {
      return true;
    }
    const RecordField& field = field_named(state.field);
    return fit(field_text(a, field), field_text(b, field));
  };
  const bool both_looked = a.sm_clock_hz_max && b.sm_clock_hz_max;
  return std::ranges::all_of(card_states(), same) && (!both_looked || clock_of(a) == clock_of(b));
}

} // namespace sdbench
