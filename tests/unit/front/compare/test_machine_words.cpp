#include "sdbench/front/compare/machine_words.h"

#include "catch.h"

using namespace sdbench;

namespace {

TEST_CASE("a device that computes slower itself is told from slower software") {
  CHECK(
      machine_words({90, 200}, {100, 200}, "A", "B") ==
      "by their probes, whatever runs on it, the device of A computes 10 % slower than that of B");
  CHECK(machine_words({100, 250}, {50, 200}, "A", "B") ==
        "by their probes, whatever runs on it, the device of A computes 100 % faster and copies 25 "
        "% faster than that of B");
  CHECK(machine_words({102, 198}, {100, 200}, "A", "B") ==
        "by their probes both devices are as fast, so another speed comes from software or "
        "settings");
}

TEST_CASE("nothing is said of devices that were not both probed") {
  CHECK(machine_words({}, {100, 200}, "A", "B").empty());
  CHECK(machine_words({100, {}}, {100, 200}, "A", "B").empty());
  CHECK(machine_words({100, 200}, {0, 200}, "A", "B").empty());
}

} // namespace
