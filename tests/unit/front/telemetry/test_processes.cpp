#include "sdbench/front/telemetry/processes.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <unistd.h>

#include "catch.h"
#include "scratch_folder.h"

using namespace sdbench;
using sdbench::test::ScratchFolder;

TEST_CASE("our own processes are never foreign, and all others have their names") {
  const ScratchFolder root;
  root.write("proc/self/stat", "100 (sdbench) S 1 1 1\n");
  root.write("proc/200/stat", "200 (sdbench-worker) S 100 1 1\n");
  root.write("proc/300/stat",
             "300 (a) S 5) R 200 1 1\n"); // a name that looks like the fields after it
  root.write("proc/400/stat", "400 (python3) S 1 1 1\n");
  root.write("proc/400/comm", "python3\n");
  root.write("proc/600/comm", "Xorg\n");
  const GpuProcesses processes = sort_processes(
      {.computing = {300, 400, 500}, .drawing = {600}, .instances = {}}, root.path());
  CHECK(processes.seen);
  CHECK(processes.others == std::vector<std::string>{"400 (python3)", "500"});
  CHECK(processes.drawing == std::vector<std::string>{"600 (Xorg)"});
}

TEST_CASE("a list without our worker was made for other eyes") {
  const ScratchFolder root;
  root.write("proc/self/stat", "100 (sdbench) S 1 1 1\n");
  root.write("proc/400/stat", "400 (python3) S 1 1 1\n");
  CHECK_FALSE(
      sort_processes({.computing = {400}, .drawing = {}, .instances = {}}, root.path()).seen);
  CHECK_FALSE(sort_processes({}, root.path()).seen);
}

TEST_CASE("a process on another instance of a split GPU is none on ours") {
  const ScratchFolder root;
  root.write("proc/self/stat", "100 (sdbench) S 1 1 1\n");
  root.write("proc/200/stat", "200 (sdbench-worker) S 100 1 1\n");
  const auto others = [&root](std::map<std::int64_t, std::int64_t> instances) {
    const GpuProcessIds ids{.computing = {200, 400, 500}, .drawing = {}, .instances = instances};
    return sort_processes(ids, root.path()).others;
  };
  CHECK(others({{200, 1}, {400, 2}, {500, 1}}) == std::vector<std::string>{"500"});
  CHECK(others({{400, 2}, {500, 1}}) == std::vector<std::string>{"400", "500"}); // ours is unknown
  CHECK(others({}) == std::vector<std::string>{"400", "500"});
}

TEST_CASE("this process is its own") {
  const GpuProcesses processes =
      sort_processes({.computing = {::getpid(), 1}, .drawing = {}, .instances = {}});
  CHECK(processes.seen);
  REQUIRE(processes.others.size() == 1);
  CHECK(processes.others[0].starts_with("1"));
}
