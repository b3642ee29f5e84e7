#include "sdbench/base/files/free_space.h"

#include "catch.h"
#include "scratch_folder.h"

using namespace sdbench;
using sdbench::test::ScratchFolder;

TEST_CASE("a disk that answers 0 of 0 tells nothing, and is not full") {
  CHECK_FALSE(free_space(std::filesystem::space_info{0, 0, 0}).has_value());
  CHECK(free_space(std::filesystem::space_info{100, 10, 0}) == 0); // this one is
  CHECK(free_space(std::filesystem::space_info{~0ULL, ~0ULL, ~0ULL}) > 0);
}

TEST_CASE("the free space of a folder is told, and that of none is not") {
  const ScratchFolder folder;
  CHECK(free_space(folder.path()).has_value());
  CHECK_FALSE(free_space(folder.path() / "nowhere").has_value());
}
