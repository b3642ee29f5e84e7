#include "sdbench/front/bench/version_numbers.h"

#include "catch.h"

using namespace sdbench;

TEST_CASE("versions are compared by their numbers, and what a build adds to them does not count") {
  CHECK(version_numbers("2.11.0+cu130") == std::vector<int>{2, 11, 0});
  CHECK(version_numbers("2.9.1") < version_numbers("2.11"));
  CHECK(version_numbers("2.") == std::vector<int>{2});
  CHECK(version_numbers("nightly").empty());
  CHECK(version_numbers("").empty());
}
