#include "sdbench/front/record/card_state.h"

#include "catch.h"

namespace sdbench {

TEST_CASE("one card under another setting is another state") {
  RunRecord free_card;
  free_card.power_limit_w = 450;
  free_card.ecc = "off";
  free_card.mig = "off";
  free_card.pcie_generation_used = 4;
  free_card.pcie_width_used = 16;
  free_card.sm_clock_hz_max = 1.9e9;
  CHECK(same_card_state(free_card, free_card));
  void (*const changes[])(RunRecord&) = {
      [](RunRecord& r) { r.power_limit_w = 300; },
      [](RunRecord& r) { r.ecc = "on"; },
      [](RunRecord& r) { r.mig = "on"; },
      [](RunRecord& r) { r.pcie_generation_used = 3; },
      [](RunRecord& r) { r.pcie_width_used = 8; },
      [](RunRecord& r) {
        r.throttle_reasons = "applications_clocks_setting sw_power_cap";
        r.sm_clock_hz_max = 1.2e9;
      },
  };
  for (const auto& change : changes) {
    RunRecord other = free_card;
    change(other);
    CHECK_FALSE(same_card_state(free_card, other));
    CHECK(same_card_state(other, other));
    CHECK(same_card_state(other, RunRecord{})); // an empty row knows nothing of its card
  }
}

TEST_CASE("a clock that nobody has set is no state: it differs from run to run") {
  RunRecord a;
  a.throttle_reasons = "sw_power_cap";
  a.sm_clock_hz_max = 1.98e9;
  RunRecord b = a;
  b.sm_clock_hz_max = 1.965e9;
  CHECK(same_card_state(a, b));
}

} // namespace sdbench
