#include "catch.h"
#include "scratch_folder.h"

#include "sdbench/base/device/cgroup.h"

using namespace sdbench;
using sdbench::test::ScratchFolder;

TEST_CASE("no control groups set no limits") {
  const ScratchFolder root;
  CHECK_FALSE(read_cgroup_limits(root.path()).memory_left_bytes.has_value());
  CHECK_FALSE(read_cgroup_limits(root.path()).cores.has_value());
}

TEST_CASE("version 2: the tightest group above counts, and page cache can be dropped") {
  const ScratchFolder root;
  root.write("proc/self/cgroup", "0::/outer/inner\n");
  root.write("sys/fs/cgroup/cgroup.controllers", "cpu memory\n");
  root.write("sys/fs/cgroup/outer/memory.max", "1000000\n");
  root.write("sys/fs/cgroup/outer/memory.current", "600000\n");
  root.write("sys/fs/cgroup/outer/memory.stat",
             "anon 400000\ninactive_file 50000\nactive_file 100000\n");
  root.write("sys/fs/cgroup/outer/inner/memory.max", "max\n");
  root.write("sys/fs/cgroup/outer/cpu.max", "150000 100000\n");
  root.write("sys/fs/cgroup/outer/inner/cpu.max", "max 100000\n");
  const CgroupLimits limits = read_cgroup_limits(root.path());
  CHECK(limits.memory_left_bytes == 550'000);
  CHECK(limits.cores == 1.5);
}

TEST_CASE("version 1: controllers have their own trees, and a number near 2^63 is no limit") {
  const ScratchFolder root;
  root.write("proc/self/cgroup", "4:memory:/box\n1:cpu,cpuacct:/box\n0::/\n");
  root.write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  root.write("sys/fs/cgroup/memory/box/memory.limit_in_bytes", "2000\n");
  root.write("sys/fs/cgroup/memory/box/memory.usage_in_bytes", "1500\n");
  root.write("sys/fs/cgroup/memory/box/memory.stat",
             "inactive_file 1\ntotal_inactive_file 300\ntotal_active_file 0\n");
  root.write("sys/fs/cgroup/cpu/box/cpu.cfs_quota_us", "50000\n");
  root.write("sys/fs/cgroup/cpu/box/cpu.cfs_period_us", "100000\n");
  root.write("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n");
  root.write("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
  const CgroupLimits limits = read_cgroup_limits(root.path());
  CHECK(limits.memory_left_bytes == 800);
  CHECK(limits.cores == 0.5);
}

TEST_CASE("a group that is not mounted in the container falls back to the mount point") {
  const ScratchFolder root;
  root.write("proc/self/cgroup", "0::/kubepods/../pod1\n");
  root.write("sys/fs/cgroup/cgroup.controllers", "memory\n");
  root.write("sys/fs/cgroup/memory.max", "4096\n");
  root.write("sys/fs/cgroup/memory.current", "8192\n"); // over the limit: nothing is left
  CHECK(read_cgroup_limits(root.path()).memory_left_bytes == 0);
}

TEST_CASE("malformed files are no limits") {
  const ScratchFolder root;
  root.write("proc/self/cgroup", "0::/\n");
  root.write("sys/fs/cgroup/cgroup.controllers", "cpu memory\n");
  root.write("sys/fs/cgroup/memory.max", "");
  for (const char* text : {"", "x", "100", "100 ", "100 0", "-1 100", "0 100"}) {
    root.write("sys/fs/cgroup/cpu.max", text);
    CHECK_FALSE(read_cgroup_limits(root.path()).cores.has_value());
  }
  CHECK_FALSE(read_cgroup_limits(root.path()).memory_left_bytes.has_value());
}
