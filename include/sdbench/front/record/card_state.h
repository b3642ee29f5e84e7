#pragma once

#include <span>
#include <string>
#include <string_view>

#include "sdbench/front/record/field_name.h"
#include "sdbench/front/record/run_record.h"

namespace sdbench {

/// A field that tells how a card was set up. One card under two power limits counts as two
/// machines.
struct CardState {
  FieldName field;
  std::string_view before; ///< its value, in words: "power limit "
  std::string_view after;  ///< " W"
  bool is_of_telemetry;    ///< known only from samples that the sensors gave while the card worked
};

/// The link's generation. A sensor may report a wrong one once, by a sample taken while the card is
/// idle. So a generation that only one row of a card has seen is taken as unknown.
inline constexpr FieldName kLinkGeneration = "pcie_generation_used";

/// Rows that differ in one of these are never taken for repeats of each other. Empty on a CPU. The
/// profile of a MIG instance or of a vGPU is part of its device_name.
[[nodiscard]] std::span<const CardState> card_states();

/// The highest clock of the SMs if clocks were set by hand (NVML's applications clocks). Else
/// empty, because a free clock differs from run to run.
[[nodiscard]] std::string set_clock(std::string_view throttle_reasons,
                                    std::string_view sm_clock_hz_max);

/// True if the field is known only from samples that the sensors gave while the card worked.
[[nodiscard]] bool is_of_telemetry_alone(FieldName field);

/// True if both rows agree on the state of their cards. A value that one of them lacks agrees with
/// any. Without `counts_generation` the link's generation is not compared.
[[nodiscard]] bool same_card_state(const RunRecord& a, const RunRecord& b,
                                   bool counts_generation = true);

} // namespace sdbench
