#include "sdbench/base/core/listed.h"

#include "catch.h"

using namespace sdbench;

TEST_CASE("words are listed with a word before the last") {
  CHECK(listed({"a", "b", "c"}) == "a, b or c");
  CHECK(listed({"a", "b"}, "and") == "a and b");
  CHECK(listed({"a", "b"}, "") == "a, b");
  CHECK(listed({"a"}) == "a");
  CHECK(listed({}).empty());
}
