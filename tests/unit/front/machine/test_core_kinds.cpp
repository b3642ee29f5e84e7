#include "sdbench/front/machine/core_kinds.h"

#include "catch.h"
#include "scratch_folder.h"

using namespace sdbench;
using sdbench::test::ScratchFolder;

TEST_CASE("cores that are all alike have no kinds") {
  const ScratchFolder root;
  CHECK(core_kinds(root.path()).empty());
  root.write("sys/devices/system/cpu/cpu0/cpu_capacity", "1024\n");
  root.write("sys/devices/system/cpu/cpu1/cpu_capacity", "1024\n");
  CHECK(core_kinds(root.path()).empty());
}

TEST_CASE("the kinds of Intel's hybrid processors are named with their cores") {
  const ScratchFolder root;
  root.write("sys/devices/cpu_core/cpus", "0-15\n");
  CHECK(core_kinds(root.path()).empty()); // one kind, if the others are switched off
  root.write("sys/devices/cpu_atom/cpus", "16-23\n");
  CHECK(core_kinds(root.path()) == "performance 0-15, efficiency 16-23");
}

TEST_CASE("the kinds of Arm's cores are told by what they can do, the fastest first") {
  const ScratchFolder root;
  const std::string cores = "sys/devices/system/cpu/";
  for (const int little : {0, 1, 2, 3, 10}) {
    root.write(cores + "cpu" + std::to_string(little) + "/cpu_capacity", "446\n");
  }
  root.write(cores + "cpu4/cpu_capacity", "1024\n");
  root.write(cores + "cpufreq/cpu_capacity", "1\n"); // not a core
  CHECK(core_kinds(root.path()) == "capacity 1024: 4, capacity 446: 0-3,10");
}
