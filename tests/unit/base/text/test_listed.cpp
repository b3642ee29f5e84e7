#include "sdbench/base/text/listed.h"

#include <string_view>
#include <vector>

#include "catch.h"

using namespace sdbench;

TEST_CASE("words are listed with a word before the last") {
  CHECK(listed({"a", "b", "c"}) == "a, b or c");
  CHECK(listed({"a", "b"}, "and") == "a and b");
  CHECK(listed({"a", "b"}, "") == "a, b");
  CHECK(listed({"a"}) == "a");
  CHECK(listed({}).empty());
}

TEST_CASE("a text is split at each separator, and keeps its empty parts") {
  using Parts = std::vector<std::string_view>;
  CHECK(split("a,,b,", ',') == Parts{"a", "", "b", ""});
  CHECK(split("", ',') == Parts{""});
  CHECK(split("a:b", ',') == Parts{"a:b"});
}

TEST_CASE("parts are joined where they are not empty") {
  CHECK(joined({"", "a", "", "b"}) == "a, b");
  CHECK(joined({"a", "b"}, "+") == "a+b");
  CHECK(joined({}).empty());
}
