#include "sdbench/core/own_file.h"

#include "catch.h"
#include "scratch_folder.h"
#include "sdbench/core/error.h"

using namespace sdbench;

TEST_CASE("a file's first line says whose it is and gives back what stands in it") {
  std::string more;
  CHECK(read_markdown_mark(markdown_mark("run", "a b") + "| x |\n", "run", more));
  CHECK(more == "a b");
  CHECK(read_markdown_mark(markdown_mark("compare"), "compare", more));
  CHECK(more.empty());
  CHECK_FALSE(read_markdown_mark(markdown_mark("run"), "compare", more));
  CHECK_FALSE(read_markdown_mark("# README\n<!-- sdbench run -->\n", "run", more));
  CHECK_FALSE(read_markdown_mark("", "run", more));
}

TEST_CASE("a page is known by its mark or by the title of before") {
  CHECK(is_page_of("<head>" + page_mark("report") + "</head>", "report"));
  CHECK(is_page_of("<title>sdbench report</title>", "report"));
  CHECK_FALSE(is_page_of("<head>" + page_mark("report") + "</head>", "compare"));
  CHECK_FALSE(is_page_of("<title>mine</title>", "report"));
}

TEST_CASE("what stands in a file's place is its beginning, and nothing where there is none") {
  const test::ScratchFolder folder;
  CHECK(standing_text(folder.path() / "missing").empty());
  CHECK(standing_text(folder.path()).empty());
  CHECK(standing_text(folder.write("a.txt", "abc"), 2) == "ab");
  CHECK_THROWS_WITH(
      refuse_loss("a.md", "3 rows"),
      "a.md holds 3 rows, which would be lost; name another file, or add --overwrite");
}
