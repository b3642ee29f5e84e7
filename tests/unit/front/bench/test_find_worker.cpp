#include "catch.h"

#include <fstream>

#include <unistd.h>

#include "sdbench/base/errors/error.h"
#include "sdbench/front/bench/find_worker.h"

using namespace sdbench;
namespace fs = std::filesystem;

namespace {

/// A libexec folder with made-up workers, removed at the end.
struct Tree {
  Tree() : root(fs::temp_directory_path() / ("sdbench-find-" + std::to_string(::getpid()))) {
    fs::create_directories(libexec());
  }
  ~Tree() { fs::remove_all(root); }
  [[nodiscard]] fs::path libexec() const { return root / "libexec"; }
  void add_worker(const std::string& version, const char* name = "sdbench-worker") const {
    const fs::path program = libexec() / version / name;
    write(program, "#!/bin/sh\n");
    fs::permissions(program, fs::perms::owner_all);
  }
  static void write(const fs::path& file, const std::string& text) {
    fs::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }
  fs::path root;
};

} // namespace

TEST_CASE("the worker of the newest libtorch is taken, by number and not by letter") {
  const Tree tree;
  for (const char* version : {"2.9.1", "2.11.0", "2.7.1"}) {
    tree.add_worker(version);
  }
  CHECK(find_worker(tree.libexec(), "").libtorch_version == "2.11.0");
  CHECK(find_worker(tree.libexec(), "").library_path.empty());
  CHECK(find_worker(tree.libexec(), "2.7.1").libtorch_version == "2.7.1");
  CHECK(list_workers(tree.libexec()).size() == 3);
}

TEST_CASE("a folder without an executable worker is no worker") {
  const Tree tree;
  Tree::write(tree.libexec() / "2.11.0" / "sdbench-worker", "not executable");
  CHECK(list_workers(tree.libexec()).empty());
  CHECK(list_workers(tree.root / "nowhere").empty());
  CHECK_THROWS_AS(find_worker(tree.libexec(), ""), Error);
}

TEST_CASE("a libtorch that no worker was built for is refused, naming those that there are") {
  const Tree tree;
  tree.add_worker("2.11.0");
  try {
    static_cast<void>(find_worker(tree.libexec(), "2.12.0"));
    FAIL("accepted");
  } catch (const Error& error) {
    CHECK(std::string(error.what()).find("2.11.0") != std::string::npos);
  }
}

TEST_CASE("a libtorch folder chooses the worker of its version, with its libraries") {
  const Tree tree;
  tree.add_worker("2.11.0");
  tree.add_worker("2.7.1");
  const fs::path wheel = tree.root / "wheel";
  CHECK_THROWS_AS(find_worker(tree.libexec(), wheel.string()), Error); // not there yet
  Tree::write(wheel / "lib" / "libtorch_cpu.so", "");
  Tree::write(wheel / "version.py", "from typing import Optional\n__version__ = '2.7.1+cu126'\n");
  const WorkerProgram worker = find_worker(tree.libexec(), wheel.string());
  CHECK(worker.libtorch_version == "2.7.1");
  CHECK(worker.library_path == (wheel / "lib").string());

  const fs::path zip = tree.root / "zip";
  Tree::write(zip / "lib" / "libtorch_cpu.so", "");
  Tree::write(zip / "build-version", "2.11.0+cpu\n");
  CHECK(find_worker(tree.libexec(), zip.string()).libtorch_version == "2.11.0");
  Tree::write(zip / "build-version", "2.10.0+cpu\n");
  CHECK_THROWS_AS(find_worker(tree.libexec(), zip.string()), Error);
}

TEST_CASE(
    "a worker's libraries are those that it was built with, and before them a given libtorch's") {
  const Tree tree;
  tree.add_worker("2.11.0");
  tree.add_worker("2.11.0", "sdbench-worker-cpu");
  Tree::write(tree.libexec() / "2.11.0" / "library-path", "/built/torch/lib:/built/nvidia/lib\n");
  const WorkerProgram built = find_worker(tree.libexec(), "");
  CHECK(built.library_path == "/built/torch/lib:/built/nvidia/lib");
  CHECK(without_cuda(built).library_path == built.library_path);

  const fs::path wheel = tree.root / "torch";
  Tree::write(wheel / "lib" / "libtorch_cpu.so", "");
  Tree::write(wheel / "version.py", "__version__ = '2.11.0+cu130'\n");
  Tree::write(tree.root / "nvidia" / "cu13" / "lib" / "libcudart.so.13", "");
  Tree::write(tree.root / "nvidia" / "cudnn" / "lib" / "libcudnn.so.9", "");
  Tree::write(tree.root / "nvidia" / "no_libraries" / "README", "");
  const std::string nvidia = (wheel / "../nvidia").string();
  CHECK(find_worker(tree.libexec(), wheel.string()).library_path ==
        (wheel / "lib").string() + ":" + nvidia + "/cu13/lib:" + nvidia +
            "/cudnn/lib:" + built.library_path);
}

TEST_CASE("the libraries of a tree that can be moved are looked for from the worker's own folder") {
  const Tree tree;
  tree.add_worker("2.11.0");
  Tree::write(tree.libexec() / "2.11.0" / "library-path", "../../lib:../../a b/lib:/fixed\n");
  CHECK(find_worker(tree.libexec(), "").library_path ==
        (tree.root / "lib").string() + ":" + (tree.root / "a b/lib").string() + ":/fixed");

  for (const char* name : {"10:30", "a;b"}) {
    const fs::path moved = tree.root / name;
    fs::create_directories(moved);
    fs::copy(tree.libexec(), moved / "libexec", fs::copy_options::recursive);
    CHECK_THROWS_WITH(find_worker(moved / "libexec", ""),
                      Catch::Matchers::StartsWith("the folder of sdbench must have neither"));
    Tree::write(moved / "libexec" / "2.11.0" / "library-path", "/fixed\n");
    CHECK(find_worker(moved / "libexec", "").library_path == "/fixed");
  }
}

TEST_CASE("a folder in the way that is called like a version does not hide the version") {
  const Tree tree;
  tree.add_worker("2.11.0");
  const fs::path before = fs::current_path();
  fs::create_directories(tree.root / "2.11.0");
  fs::current_path(tree.root);
  const std::string found = find_worker(tree.libexec(), "2.11.0").libtorch_version;
  fs::current_path(before);
  CHECK(found == "2.11.0");
}

TEST_CASE("a version without a worker is refused with the reason or the way to one") {
  const Tree tree;
  tree.add_worker("2.11.0");
  const auto refusal = [&](const char* version) {
    try {
      static_cast<void>(find_worker(tree.libexec(), version));
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(refusal("2.6.0").find("old C++ ABI") != std::string::npos);
  CHECK(refusal("2.8.0").find("build one with SDBENCH_LIBTORCH=2.8.0") != std::string::npos);
  CHECK(refusal("newest").find("C++ ABI") == std::string::npos);
}

TEST_CASE(
    "without a GPU the worker is the one that loads none of CUDA's libraries, if there is one") {
  const Tree tree;
  tree.add_worker("2.11.0");
  CHECK(without_cuda(find_worker(tree.libexec(), "")).path.filename() == "sdbench-worker");
  tree.add_worker("2.11.0", "sdbench-worker-cpu");
  CHECK(find_worker(tree.libexec(), "").path.filename() == "sdbench-worker");
  const WorkerProgram worker = without_cuda(find_worker(tree.libexec(), ""));
  CHECK(worker.path == tree.libexec() / "2.11.0" / "sdbench-worker-cpu");
  CHECK(worker.libtorch_version == "2.11.0");
  CHECK(list_workers(tree.libexec()).size() == 1);
}
