#pragma once

#include <span>
#include <string>
#include <string_view>

#include "sdbench/base/record/field_name.h"
#include "sdbench/base/record/run_record.h"

namespace sdbench {

/// A field that tells how a card was set up: one card under two power limits is two machines.
struct CardState {
  FieldName field;
  std::string_view before; ///< its value, in words: "power limit "
  std::string_view after;  ///< " W"
  bool is_of_telemetry;    ///< only looks at the sensors while the card works tell it
};

/// The state that a sensor may tell wrongly once: it looks while the card rests. A generation that
/// one row alone of a card has seen is unknown.
inline constexpr FieldName kLinkGeneration = "pcie_generation_used";

/// Rows that differ in one of these are never taken for repeats of each other. Empty on a CPU. The
/// profile of a MIG instance or of a vGPU is part of its device_name.
[[nodiscard]] std::span<const CardState> card_states();

/// The highest clock of the SMs where clocks were set by hand (NVML's applications clocks); else
/// empty, for a free clock differs from run to run.
[[nodiscard]] std::string set_clock(std::string_view throttle_reasons,
                                    std::string_view sm_clock_hz_max);

/// Whether only looks at the sensors while the card works tell the field.
[[nodiscard]] bool is_of_telemetry_alone(FieldName field);

/// Whether both rows tell the same of their cards. What one of them does not know fits any, and so
/// does the link's generation where it is not to count.
[[nodiscard]] bool same_card_state(const RunRecord& a, const RunRecord& b,
                                   bool counts_generation = true);

} // namespace sdbench
