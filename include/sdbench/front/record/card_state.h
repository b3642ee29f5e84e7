#pragma once

#include <span>
#include <string>
#include <string_view>

#include "sdbench/front/record/field_name.h"
#include "sdbench/front/record/run_record.h"

namespace sdbench {

/// A field of the record that tells how a GPU was set up, such as its power limit. In comparisons,
/// one card under two power limits counts as two machines.
struct CardState {
  FieldName field;
  std::string_view before; ///< words in front of the value: "power limit "
  std::string_view after;  ///< words behind the value: " W"
  bool is_of_telemetry;    ///< known only from sensor samples taken while the card worked
};

/// The PCIe generation of the card's link. A sample taken while the card is idle may show a lower
/// one. So if a card's rows differ, a generation that occurs in only one row is treated as unknown.
inline constexpr FieldName kLinkGeneration = "pcie_generation_used";

/// All fields of a card's state. Two rows that differ in one of them are never treated as repeats
/// of each other. Rows of a CPU leave these fields empty. The profile of a MIG instance or of a
/// vGPU is not listed here, because device_name includes it.
[[nodiscard]] std::span<const CardState> card_states();

/// Returns `sm_clock_hz_max` if `throttle_reasons` says that the user fixed the clocks (NVML's
/// applications clocks), else an empty text. Clocks that are not fixed differ from run to run.
[[nodiscard]] std::string set_clock(std::string_view throttle_reasons,
                                    std::string_view sm_clock_hz_max);

/// True if the field is known only from sensor samples taken while the card was busy.
[[nodiscard]] bool is_of_telemetry_alone(FieldName field);

/// True if both rows have the same card state and the same set_clock(). A value that is missing in
/// one row matches any value. Without `counts_generation`, the PCIe generation is not compared.
[[nodiscard]] bool same_card_state(const RunRecord& a, const RunRecord& b,
                                   bool counts_generation = true);

} // namespace sdbench
