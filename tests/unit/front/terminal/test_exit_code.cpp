#include "sdbench/front/terminal/exit_code.h"

#include "catch.h"

using namespace sdbench;

TEST_CASE("a sweep's exit code says whether all, some or none of its cells are good") {
  CHECK(exit_code(SweepTally{3, 0, false}) == 0);
  CHECK(exit_code(SweepTally{1, 2, false}) == 3);
  CHECK(exit_code(SweepTally{0, 2, false}) == 1);
  CHECK(exit_code(SweepTally{0, 0, false}) == 0);
  CHECK(exit_code(SweepTally{2, 1, true}) == 130);
}
