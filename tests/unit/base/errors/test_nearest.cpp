#include "catch.h"

#include "sdbench/base/errors/nearest.h"

using namespace sdbench;

TEST_CASE("edits are insertions, deletions, replacements and swaps of neighbours") {
  CHECK(edit_distance("", "") == 0);
  CHECK(edit_distance("", "abc") == 3);
  CHECK(edit_distance("abc", "") == 3);
  CHECK(edit_distance("sdxl", "sdxl") == 0);
  CHECK(edit_distance("sdlx", "sdxl") == 1);
  CHECK(edit_distance("sd15", "sd21") == 2);
  CHECK(edit_distance("kitten", "sitting") == 3);
}

TEST_CASE("the nearest name comes first and equals keep their order") {
  const std::vector<std::string> names{"sd15", "sd21", "sdxl", "sdxl-turbo"};
  CHECK(nearest_first("sdlx", names).front() == "sdxl");
  CHECK(nearest_first("sdxl-tubro", names).front() == "sdxl-turbo");
  CHECK(nearest_first("sd11", names) ==
        std::vector<std::string>{"sd15", "sd21", "sdxl", "sdxl-turbo"});
  CHECK(nearest_first("x", {}).empty());
}

TEST_CASE("an endless argument is compared by its start") {
  CHECK(nearest_first(std::string(1'000'000, 'x'), {"a", "b"}).size() == 2);
}
