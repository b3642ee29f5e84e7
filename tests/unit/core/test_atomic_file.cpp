#include "sdbench/core/atomic_file.h"

#include <sys/stat.h>

#include "catch.h"
#include "scratch_folder.h"
#include "sdbench/core/error.h"
#include "sdbench/core/json_io.h"

using namespace sdbench;

namespace fs = std::filesystem;

TEST_CASE("a file appears with its commit, and without one nothing is left") {
  const test::ScratchFolder folder;
  const fs::path target = folder.path() / "a.json";
  { AtomicFile(target).write("half"); }
  CHECK(fs::is_empty(folder.path()));
  write_file_atomically(target, "whole");
  CHECK(read_text_file(target) == "whole");
}

TEST_CASE("what a link leads to is written, and the link stays") {
  const test::ScratchFolder folder;
  fs::create_directory(folder.path() / "real");
  for (const char* before : {"", "old"}) { // a link that leads to nothing yet, and one to a file
    fs::create_symlink("real/a.json", folder.path() / "link.json");
    if (*before != '\0') {
      folder.write("real/a.json", before);
    }
    write_file_atomically(folder.path() / "link.json", "new");
    CHECK(fs::is_symlink(folder.path() / "link.json"));
    CHECK(read_text_file(folder.path() / "real" / "a.json") == "new");
    fs::remove(folder.path() / "link.json");
    fs::remove(folder.path() / "real" / "a.json");
  }
}

TEST_CASE("a pipe, a folder and a loop of links are refused and stay") {
  const test::ScratchFolder folder;
  const fs::path pipe = folder.path() / "pipe.json";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  CHECK_THROWS_WITH(AtomicFile(pipe), "cannot write " + pipe.string() +
                                          ": it must be a regular file, but is a device or a pipe");
  CHECK(fs::is_fifo(pipe));
  CHECK_THROWS_AS(AtomicFile(folder.path()), Error);
  const fs::path loop = folder.path() / "loop.json";
  fs::create_symlink("loop.json", loop);
  CHECK_THROWS_AS(AtomicFile(loop), Error);
  CHECK(fs::is_symlink(loop));
}
