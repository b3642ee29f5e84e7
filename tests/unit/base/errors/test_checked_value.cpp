#include "sdbench/base/errors/checked_value.h"

#include "catch.h"

using namespace sdbench;

TEST_CASE("a word that is not one of those known is refused, with the one that was meant") {
  CHECK(one_of("--tf32", "conv", {"off", "on", "conv"}) == "conv");
  CHECK_THROWS_WITH(one_of("--tf32", "cnov", {"off", "on", "conv"}),
                    "--tf32 must be off, on or conv, but is \"cnov\"; did you mean conv?");
}

TEST_CASE("a number beyond either end is refused, and the ends are not") {
  CHECK(in_range("--batch", 1, 1, 4) == 1);
  CHECK(in_range("--batch", 4, 1, 4) == 4);
  CHECK_THROWS_WITH(in_range("--batch", 0, 1, 4), "--batch must be between 1 and 4, but is 0");
  CHECK_THROWS_WITH(in_range("--batch", 5, 1, 4), "--batch must be between 1 and 4, but is 5");
}
