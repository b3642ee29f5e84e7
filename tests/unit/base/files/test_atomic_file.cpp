#include "sdbench/base/files/atomic_file.h"

#include <csignal>
#include <iterator>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "catch.h"
#include "scratch_folder.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/files/json_io.h"

using namespace sdbench;

namespace fs = std::filesystem;

namespace {

std::ptrdiff_t file_count(const std::filesystem::path& folder) {
  return std::distance(std::filesystem::directory_iterator(folder), {});
}

} // namespace

TEST_CASE("a file appears with its commit and not before") {
  const test::ScratchFolder folder;
  const auto path = folder.write("file", "old");
  {
    AtomicFile file(path);
    file.write("new ");
    file.write("content");
    CHECK(read_text_file(path) == "old");
    file.commit();
  }
  CHECK(read_text_file(path) == "new content");
  CHECK(file_count(folder.path()) == 1);
  CHECK((std::filesystem::status(path).permissions() & std::filesystem::perms::owner_write) !=
        std::filesystem::perms::none);
}

TEST_CASE("without a commit nothing is left") {
  const test::ScratchFolder folder;
  { AtomicFile(folder.path() / "file").write("content"); }
  CHECK(file_count(folder.path()) == 0);
}

TEST_CASE("what is to be new does not replace what another has put there meanwhile") {
  const test::ScratchFolder folder;
  const fs::path path = folder.path() / "file";
  const auto put = [&](const char* content) {
    AtomicFile file(path);
    file.write(content);
    file.commit_if_new();
  };
  AtomicFile slow(path);
  slow.write("slow");
  CHECK_FALSE(fs::exists(path));
  put("first");
  put("second");
  slow.commit_if_new();
  CHECK(read_text_file(path) == "first");
}

TEST_CASE("what is to be new leaves no other name") {
  const test::ScratchFolder folder;
  for (int i = 0; i < 2; ++i) {
    AtomicFile file(folder.path() / "file");
    file.write("new");
    file.commit_if_new();
  }
  CHECK(file_count(folder.path()) == 1);
}

TEST_CASE("what a process left that was killed just before the rename goes with the next writing") {
  const test::ScratchFolder folder;
  const auto path = folder.path() / "file";
  for (const char* const left :
       {"file.tmp1", "file.tmp999999999", "file.tmp18446744073709551615"}) {
    folder.write(left, "half");
  }
  AtomicFile file(path);
  file.write("whole");
  file.commit();
  CHECK(read_text_file(path) == "whole");
  CHECK(file_count(folder.path()) == 1);
}

TEST_CASE("what a living process is about to rename stays, as does what is not of this target") {
  const test::ScratchFolder folder;
  const auto living = folder.write("file.tmp1", "whole");
  const Descriptor held(::open(living.c_str(), O_RDONLY | O_CLOEXEC));
  REQUIRE(::flock(held.get(), LOCK_EX) == 0);
  for (const char* other : {"file.tmp", "file.tmp2a", "file.tmpa", "other.tmp1", "a.file.tmp1"}) {
    folder.write(other, "");
  }
  fs::create_directory(folder.path() / "file.tmp3");
  fs::create_symlink("other.tmp1", folder.path() / "file.tmp4");
  REQUIRE(::mkfifo((folder.path() / "file.tmp5").c_str(), 0600) == 0);
  const auto before = file_count(folder.path());
  write_file_atomically(folder.path() / "file", "new");
  CHECK(file_count(folder.path()) == before + 1);
}

TEST_CASE("another process that begins to write the target leaves what is about to be renamed") {
  const test::ScratchFolder folder;
  const auto path = folder.path() / "file";
  const pid_t self = ::getpid();
  const pid_t other = ::fork();
  REQUIRE(other >= 0);
  if (other == 0) {
    try {
      while (::getppid() == self) {
        const AtomicFile begun(path);
      }
    } catch (const Error&) { // the folder is gone
    }
    ::_exit(0);
  }
  for (int i = 0; i < 300; ++i) {
    CHECK_NOTHROW(write_file_atomically(path, "whole"));
  }
  ::kill(other, SIGKILL);
  REQUIRE(::waitpid(other, nullptr, 0) == other);
  CHECK(read_text_file(path) == "whole");
}

TEST_CASE("a target in a folder that is not there is refused by name") {
  const test::ScratchFolder folder;
  CHECK_THROWS_WITH(AtomicFile(folder.path() / "no" / "file"),
                    Catch::Matchers::ContainsSubstring("no is not there; make it first"));
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
