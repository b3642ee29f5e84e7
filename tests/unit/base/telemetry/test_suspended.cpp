#include "sdbench/base/telemetry/suspended.h"

#include <cmath>

#include "catch.h"

using namespace sdbench;

TEST_CASE("a machine that goes on is not suspended meanwhile") {
  const double before = suspended_seconds();
  CHECK(before > -0.001);
  CHECK(std::abs(suspended_seconds() - before) < 0.001);
}
