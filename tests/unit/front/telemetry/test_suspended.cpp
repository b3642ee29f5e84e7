#include "sdbench/front/telemetry/suspended.h"

#include <cmath>

#include "catch.h"

using namespace sdbench;

namespace {

/// Clocks that advance by `tick_s` at each reading, and a thread that waits once for its core.
struct PretendedClocks {
  double suspended_s = 0;
  double tick_s = 0.001;
  int waits_at = 0; ///< the reading before which it waits a minute; 0: never
  double now_s = 100;
  int looks = 0;

  double standing() {
    now_s += ++looks == waits_at ? 60 : tick_s;
    return now_s;
  }
  double going() { return standing() + suspended_s; }
  double seconds() {
    return suspended_seconds_by([this] { return standing(); }, [this] { return going(); });
  }
};

} // namespace

TEST_CASE("a machine was suspended for what one clock is ahead of the other") {
  PretendedClocks clocks;
  CHECK(std::abs(clocks.seconds()) < 1e-9);
  clocks.suspended_s = 7200;
  CHECK(std::abs(clocks.seconds() - 7200) < 1e-9);
}

TEST_CASE("a thread that waits between its looks at two clocks was not suspended") {
  for (int look = 1; look <= 15; ++look) {
    PretendedClocks clocks{.waits_at = look};
    CAPTURE(look);
    CHECK(std::abs(clocks.seconds()) < 1e-9);
  }
}
