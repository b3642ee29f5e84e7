#include "sdbench/front/telemetry/busy.h"

#include <limits>

#include "catch.h"

using namespace sdbench;

namespace {

ProcessorUse use(double cores, double total_s, double busy_s, double steal_s, double own_s) {
  ProcessorUse use;
  use.cores = cores;
  use.total_s = total_s;
  use.busy_s = busy_s;
  use.steal_s = steal_s;
  use.own_s = own_s;
  return use;
}

OthersShare others(double cores, double foreign, double steal = 0, double seconds = 10) {
  return {.cores = cores, .seconds = seconds, .foreign_cores = foreign, .steal_cores = steal};
}

} // namespace

TEST_CASE("others had what was worked less our own part, by all the time that there was") {
  const auto share = others_share(use(4, 100, 50, 2, 40), use(4, 140, 80, 6, 58), 10);
  REQUIRE(share.has_value());
  CHECK(share->foreign_cores == Approx(1.2));
  CHECK(share->foreign_percent() == Approx(30));
  CHECK(share->steal_cores == Approx(0.4));
  CHECK(share->steal_percent() == Approx(10));
  CHECK(share->seconds == 10);
}

TEST_CASE("our own work may be told a tick earlier than the cores': never less than nothing") {
  CHECK(others_share(use(2, 0, 0, 0, 0), use(2, 2, 1.9, 0, 1.95), 1)->foreign_cores == 0);
}

TEST_CASE("nothing is told where a counter lacks, went back, stands still, or cores changed") {
  const ProcessorUse before = use(2, 100, 50, 0, 10);
  ProcessorUse after = use(2, 110, 55, 0, 15);
  CHECK(others_share(before, after, 5).has_value());
  CHECK_FALSE(others_share(before, before, 0).has_value());
  CHECK_FALSE(others_share(after, before, 5).has_value());
  CHECK_FALSE(others_share({}, after, 5).has_value());
  after.own_s.reset();
  CHECK_FALSE(others_share(before, after, 5).has_value());
  CHECK_FALSE(others_share(before, use(1, 110, 55, 0, 15), 5).has_value());
}

TEST_CASE("a cell on the CPU spares the cores that it leaves free, at most a tenth, and a bit") {
  CHECK(cores_to_spare({true, 2}, 2) == Approx(0.1));
  CHECK(cores_to_spare({true, 63}, 64) == Approx(1.1));
  CHECK(cores_to_spare({true, 16}, 64) == Approx(6.5)); // memory and clocks are shared
  CHECK(cores_to_spare({true, 8}, 4) == Approx(0.1));   // more threads than cores
  CHECK(cores_to_spare({true, std::numeric_limits<double>::infinity()}, 64) == Approx(0.1));
}

TEST_CASE("a cell on a GPU needs the core that launches") {
  CHECK(cores_to_spare({false, 1}, 64) == Approx(63.1));
  CHECK(cores_to_spare({false, 1}, 1) == Approx(0.1));
}

TEST_CASE("a machine is busy where others have more than the cell can spare") {
  CHECK(is_busy(others(2, 1), {true, 2}));
  CHECK(is_busy(others(64, 1), {true, 64}));       // one thread waits for a core, and all for it
  CHECK_FALSE(is_busy(others(64, 1), {true, 32})); // enough cores are free
  CHECK(is_busy(others(64, 30), {true, 32}));
  CHECK_FALSE(is_busy(others(64, 30), {false, 1}));
  CHECK(is_busy(others(2, 1.9), {false, 1}));
  CHECK(is_busy(others(2, 0.06, 0.06), {true, 2})); // both together
  CHECK_FALSE(is_busy(others(2, 0.05), {true, 2}));
}

TEST_CASE("less than five ticks of the kernel's clock are no evidence") {
  CHECK_FALSE(is_busy(others(2, 0.4, 0, 0.1), {true, 2}));
  CHECK(is_busy(others(2, 0.6, 0, 0.1), {true, 2}));
}

TEST_CASE("words name who had how much") {
  CHECK(busy_words(others(2, 1.87), "cc1plus 180 %") ==
        "other programs had 1.9 of 2 cores (cc1plus 180 %)");
  CHECK(busy_words(others(2, 1.87, 0.21), "") ==
        "other programs had 1.9 of 2 cores, the hypervisor took 0.21 for other machines");
  CHECK(busy_words(others(2, 0, 0.5), "") ==
        "the hypervisor took 0.50 of 2 cores for other machines");
}
