#include "catch.h"

#include "sdbench/base/errors/error.h"
#include "sdbench/front/bench/line_buffer.h"

using namespace sdbench;

TEST_CASE("lines come out whole however the bytes arrive") {
  LineBuffer lines(100);
  lines.append("on");
  CHECK_FALSE(lines.next().has_value());
  lines.append("e\n\ntwo\nthr");
  CHECK(lines.next() == "one");
  CHECK(lines.next() == "");
  CHECK(lines.next() == "two");
  CHECK_FALSE(lines.next().has_value());
  lines.append("ee\n");
  CHECK(lines.next() == "three");
}

TEST_CASE("a line beyond the bound is refused") {
  LineBuffer lines(10);
  lines.append("12345678901");
  CHECK_THROWS_AS(lines.next(), Error);
}

TEST_CASE("the tail keeps whole last lines") {
  TailBuffer tail(12);
  tail.append("first line\n");
  tail.append("second\nthird\n");
  CHECK(tail.text() == "third\n");
  tail.append("a line that is longer than the tail");
  CHECK(tail.text().size() <= 12);
}
