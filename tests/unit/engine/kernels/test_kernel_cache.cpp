#include "catch.h"

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <ios>

#include <sys/resource.h>
#include <sys/stat.h>

#include "environment.h"
#include "scratch_folder.h"
#include "sdbench/base/files/json_io.h"
#include "sdbench/engine/kernels/kernel_cache.h"

using namespace sdbench;
using sdbench::test::EnvironmentVariable;
using sdbench::test::ScratchFolder;

namespace {

const std::string kMachineCode("\x7f"
                               "ELF\0and more",
                               13);

/// Files of this process are no longer than this, in its scope, as on a disk that is full.
class FullDisk {
public:
  FullDisk() {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit small{10, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &small);
  }
  ~FullDisk() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;

private:
  void (*handler_)(int) = std::signal(SIGXFSZ, SIG_IGN); // an error, as ENOSPC is
  rlimit before_{};
};

/// Counts how often something was made.
struct Maker {
  int made = 0;
  std::string operator()() {
    ++made;
    return kMachineCode;
  }
};

std::filesystem::path only_file_of(const std::filesystem::path& folder) {
  std::filesystem::path file;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    CHECK(file.empty());
    file = entry.path();
  }
  return file;
}

} // namespace

TEST_CASE("the time of what was made is its last use") {
  const ScratchFolder scratch;
  Maker maker;
  CHECK(cached(scratch.path(), "sm_90", std::ref(maker)) == kMachineCode);
  const std::filesystem::path file = only_file_of(scratch.path());
  const auto written = std::filesystem::last_write_time(file);
  std::filesystem::last_write_time(file, written - std::chrono::hours(48));
  CHECK(cached(scratch.path(), "sm_90", std::ref(maker)) == kMachineCode);
  CHECK(maker.made == 1);
  CHECK(std::filesystem::last_write_time(file) >= written);
}

TEST_CASE("what was made once is read the next time, for its key alone") {
  const ScratchFolder scratch;
  const std::filesystem::path folder = scratch.path() / "a/b";
  Maker maker;
  CHECK(cached(folder, "sm_90", std::ref(maker)) == kMachineCode);
  CHECK(cached(folder, "sm_90", std::ref(maker)) == kMachineCode);
  CHECK(maker.made == 1);
  CHECK(cached(folder, "sm_80", std::ref(maker)) == kMachineCode);
  CHECK(maker.made == 2);
}

TEST_CASE("a damaged file is made anew") {
  const ScratchFolder scratch;
  Maker maker;
  static_cast<void>(cached(scratch.path(), "key", std::ref(maker)));
  const std::filesystem::path file = only_file_of(scratch.path());
  const std::string whole = read_text_file(file);
  std::string changed = whole;
  changed.back() ^= 1;
  int wanted = 1;
  for (const std::string& damaged :
       {std::string(), whole.substr(0, 64), whole.substr(0, whole.size() - 1), changed,
        std::string("garbage"), std::string(1000, 'x'), whole + whole}) {
    CAPTURE(damaged.size());
    std::ofstream(file, std::ios::binary | std::ios::trunc) << damaged;
    CHECK(cached(scratch.path(), "key", std::ref(maker)) == kMachineCode);
    CHECK(maker.made == ++wanted);
    CHECK(read_text_file(file) == whole);
  }
}

TEST_CASE("a folder or a pipe in a file's place costs time only") {
  const ScratchFolder scratch;
  Maker maker;
  static_cast<void>(cached(scratch.path(), "key", std::ref(maker)));
  const std::filesystem::path file = only_file_of(scratch.path());
  int wanted = 1;
  for (const bool is_pipe : {false, true}) {
    std::filesystem::remove(file);
    const bool made =
        is_pipe ? ::mkfifo(file.c_str(), 0600) == 0 : std::filesystem::create_directory(file);
    REQUIRE(made);
    CHECK(cached(scratch.path(), "key", std::ref(maker)) == kMachineCode);
    CHECK(maker.made == ++wanted);
  }
}

TEST_CASE("a full disk costs time only, and nothing half-written is left") {
  const ScratchFolder scratch;
  Maker maker;
  const FullDisk full;
  CHECK(cached(scratch.path(), "key", std::ref(maker)) == kMachineCode);
  CHECK(cached(scratch.path(), "key", std::ref(maker)) == kMachineCode);
  CHECK(maker.made == 2);
  CHECK(std::filesystem::is_empty(scratch.path()));
}

TEST_CASE("a folder that cannot be written costs time only") {
  const ScratchFolder scratch;
  Maker maker;
  const std::filesystem::path file = scratch.write("file", "in its place");
  std::string why;
  CHECK(cached(file, "key", std::ref(maker), &why) == kMachineCode);
  CHECK_THAT(why, Catch::Matchers::ContainsSubstring("file")); // for a row that says so
  CHECK(cached(scratch.path() / "made", "key", std::ref(maker), &why) == kMachineCode);
  CHECK(why.empty());
  --maker.made;
  CHECK(cached(file / "below", "key", std::ref(maker)) == kMachineCode);
  CHECK(cached({}, "key", std::ref(maker)) == kMachineCode);
  CHECK(maker.made == 3);
}

TEST_CASE("kernels are kept below the user's cache folder") {
  const EnvironmentVariable home("HOME", "/home/me");
  const EnvironmentVariable cache("XDG_CACHE_HOME", "/cache");
  CHECK(kernel_cache_folder() == "/cache/sdbench/kernels");
  const EnvironmentVariable relative("XDG_CACHE_HOME", "cache"); // which the standard ignores
  CHECK(kernel_cache_folder() == "/home/me/.cache/sdbench/kernels");
  const EnvironmentVariable no_home("HOME", nullptr);
  CHECK(kernel_cache_folder().empty());
}
