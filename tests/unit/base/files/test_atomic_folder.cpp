#include "catch.h"

#include <filesystem>
#include <fstream>
#include <string>

#include <unistd.h>

#include "sdbench/base/errors/error.h"
#include "sdbench/base/files/atomic_folder.h"

using namespace sdbench;
namespace fs = std::filesystem;

namespace {

/// An empty folder that goes away with the test.
struct Sandbox {
  fs::path root = fs::temp_directory_path() / ("atomic_folder_" + std::to_string(getpid()));
  Sandbox() {
    fs::remove_all(root);
    fs::create_directory(root);
  }
  ~Sandbox() { fs::remove_all(root); }
};

void write(const fs::path& file) {
  std::ofstream(file) << "x";
}

} // namespace

TEST_CASE("a folder appears under its name only when committed") {
  const Sandbox sandbox;
  AtomicFolder folder(sandbox.root / "out/"); // a slash at the end names the same folder
  write(folder.path() / "file");
  CHECK_FALSE(fs::exists(sandbox.root / "out"));
  folder.commit();
  CHECK(fs::exists(sandbox.root / "out" / "file"));
  CHECK_FALSE(fs::exists(folder.path()));
}

TEST_CASE("a folder that is not committed leaves nothing behind, not even in depth") {
  const Sandbox sandbox;
  {
    const AtomicFolder folder(sandbox.root / "out");
    fs::create_directories(folder.path() / "a" / "b");
    write(folder.path() / "a" / "b" / "file");
  }
  CHECK(fs::is_empty(sandbox.root));
}

TEST_CASE("two writers of one process number, as two hosts have them, do not refuse each other") {
  const Sandbox sandbox;
  AtomicFolder one(sandbox.root / "out");
  AtomicFolder other(sandbox.root / "out");
  CHECK(one.path() != other.path());
  write(one.path() / "file");
  write(other.path() / "file");
  one.commit();
  CHECK_THROWS_AS(other.commit(), Error); // whole, by whichever came first
  CHECK(fs::exists(sandbox.root / "out" / "file"));
}

TEST_CASE("an empty folder is replaced; anything else is left alone") {
  const Sandbox sandbox;
  fs::create_directory(sandbox.root / "empty");
  AtomicFolder folder(sandbox.root / "empty");
  write(folder.path() / "file");
  folder.commit();
  CHECK(fs::exists(sandbox.root / "empty" / "file"));

  CHECK_THROWS_AS(AtomicFolder(sandbox.root / "empty"), Error);       // no longer empty
  CHECK_THROWS_AS(AtomicFolder(sandbox.root / "empty/file"), Error);  // a file
  CHECK_THROWS_AS(AtomicFolder(sandbox.root / "no" / "such"), Error); // no parent
  CHECK(fs::exists(sandbox.root / "empty" / "file"));
}
