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

TEST_CASE("parts are joined where they are not empty") {
  CHECK(joined({"", "a", "", "b"}) == "a, b");
  CHECK(joined({"a", "b"}, "+") == "a+b");
  CHECK(joined({}).empty());
}
