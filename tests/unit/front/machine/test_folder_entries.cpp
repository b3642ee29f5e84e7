#include "sdbench/front/machine/folder_entries.h"

#include "catch.h"
#include "scratch_folder.h"

using namespace sdbench;
using sdbench::test::ScratchFolder;

TEST_CASE("a folder's entries are sorted, and a folder that is not there has none") {
  const ScratchFolder root;
  root.write("b", "");
  root.write("a/inner", "");
  using Paths = std::vector<std::filesystem::path>;
  CHECK(folder_entries(root.path()) == Paths{root.path() / "a", root.path() / "b"});
  CHECK(folder_entries(root.path() / "missing").empty());
}
