#include "sdbench/record/ids.h"

#include "catch.h"

using namespace sdbench;

TEST_CASE("an id is the same everywhere and changes with names, values and order") {
  const NamedValue a[] = {{"width", "512"}, {"height", "768"}};
  const NamedValue swapped[] = {{"height", "768"}, {"width", "512"}};
  const NamedValue other[] = {{"width", "512"}, {"height", "769"}};
  const NamedValue joined[] = {{"width", "512\nheight=768"}};
  // printf 'width=512\nheight=768\n' | sha256sum
  CHECK(stable_id(a) == "d9a6b34385044bbe");
  CHECK(stable_id(a) != stable_id(swapped));
  CHECK(stable_id(a) != stable_id(other));
  CHECK(stable_id(a) != stable_id(joined));
}
