#include "sdbench/base/files/own_file.h"

#include "catch.h"
#include "scratch_folder.h"
#include "sdbench/base/errors/error.h"

using namespace sdbench;

namespace {

constexpr Comment kMarkdown = {"<!-- ", " -->"};
constexpr Comment kHash = {"# ", ""};

} // namespace

TEST_CASE("a file's first line says whose it is and gives back what stands in it") {
  std::string more;
  for (const Comment& comment : {kMarkdown, kHash}) {
    CHECK(read_file_mark(file_mark(comment, "run", "a b") + "| x |\n", comment, "run", more));
    CHECK(more == "a b");
    CHECK(read_file_mark(file_mark(comment, "compare"), comment, "compare", more));
    CHECK(more.empty());
    CHECK_FALSE(read_file_mark(file_mark(comment, "run"), comment, "compare", more));
    CHECK_FALSE(read_file_mark("# README\n" + file_mark(comment, "run"), comment, "run", more));
    CHECK_FALSE(read_file_mark("", comment, "run", more));
  }
  CHECK(file_mark(kMarkdown, "run", "a b") == "<!-- sdbench run: a b -->\n");
  CHECK(file_mark(kHash, "run", "a b") == "# sdbench run: a b\n");
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
