#include "sdbench/sink/append_file.h"

#include <sys/resource.h>

#include <csignal>
#include <thread>
#include <vector>

#include "catch.h"
#include "scratch_folder.h"
#include "sdbench/core/error.h"
#include "sdbench/core/json_io.h"

using namespace sdbench;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("the header is written once, rows are added") {
  const test::ScratchFolder folder;
  const auto path = folder.path() / "rows.csv";
  AppendFile(path, "a,b\n").append("1,2\n");
  AppendFile again(path, "a,b\n");
  again.append("3,4\n");
  again.append("5,6\n");
  CHECK(read_text_file(path) == "a,b\n1,2\n3,4\n5,6\n");
}

TEST_CASE("opening checks and makes the file, but writes nothing") {
  const test::ScratchFolder folder;
  const auto path = folder.path() / "rows.csv";
  const AppendFile file(path, "a\n");
  CHECK(read_text_file(path).empty());
}

TEST_CASE("a file with another header is refused and left alone") {
  const test::ScratchFolder folder;
  for (const char* content : {"a,c\n1,2\n", "a\n", "a,b,c\n"}) {
    const auto path = folder.write("rows.csv", content);
    CHECK_THROWS_WITH(AppendFile(path, "a,b\n"), ContainsSubstring("move the file away"));
    CHECK(read_text_file(path) == content);
  }
}

TEST_CASE("a file whose last line is cut off is refused") {
  const test::ScratchFolder folder;
  const auto path = folder.write("rows.csv", "a,b\n1,");
  CHECK_THROWS_WITH(AppendFile(path, "a,b\n"), ContainsSubstring("is cut off"));
}

TEST_CASE("targets that cannot grow are refused with the reason") {
  const test::ScratchFolder folder;
  CHECK_THROWS_WITH(AppendFile(folder.path(), "a\n"), ContainsSubstring("Is a directory"));
  CHECK_THROWS_WITH(AppendFile(folder.path() / "no" / "rows.csv", "a\n"),
                    ContainsSubstring("No such file or directory"));
  CHECK_THROWS_WITH(AppendFile("/dev/null", "a\n"), ContainsSubstring("regular file"));
}

TEST_CASE("two writers of a new file make one header and whole rows") {
  const test::ScratchFolder folder;
  const auto path = folder.path() / "rows.csv";
  const std::string row = std::string(5000, 'x') + "\n";
  const auto write = [&] {
    AppendFile file(path, "a\n");
    for (int i = 0; i < 50; ++i) {
      file.append(row);
    }
  };
  std::thread other(write);
  write();
  other.join();
  std::string expected = "a\n";
  for (int i = 0; i < 100; ++i) {
    expected += row;
  }
  CHECK(read_text_file(path) == expected);
}

TEST_CASE("a row that does not fit is taken back whole") {
  const test::ScratchFolder folder;
  const auto path = folder.path() / "rows.csv";
  AppendFile file(path, "a\n");
  file.append("1\n");
  // A limit on the file's size stands for a full disk.
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  const rlimit small{8, before.rlim_max};
  ::setrlimit(RLIMIT_FSIZE, &small);
  CHECK_THROWS_AS(file.append("123456789\n"), Error);
  ::setrlimit(RLIMIT_FSIZE, &before);
  CHECK(read_text_file(path) == "a\n1\n");
}
