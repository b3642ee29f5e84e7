#include "catch.h"

#include "sdbench/front/bench/oom_counter.h"

using namespace sdbench;

TEST_CASE(
    "the out-of-memory killer's count is read from vmstat, memory.events and memory.oom_control") {
  CHECK(parse_oom_kills("pgfault 7\noom_kill 3\nnuma_hit 9\n") == 3);
  CHECK(parse_oom_kills("low 0\nhigh 0\nmax 4\noom 2\noom_kill 1\noom_group_kill 0\n") == 1);
  CHECK(parse_oom_kills("oom_kill_disable 0\nunder_oom 0\noom_kill 12\n") == 12);
  CHECK(parse_oom_kills("oom_kill_disable 1\n") == 0);
  CHECK(parse_oom_kills("") == 0);
}

TEST_CASE("the cgroup's path is found in both versions of the list") {
  const std::string list = "12:cpu,cpuacct:/c\n5:memory:/user/a:b\n0::/system/x\n";
  CHECK(parse_cgroup_path(list, false) == "/user/a:b");
  CHECK(parse_cgroup_path(list, true) == "/system/x");
  CHECK(parse_cgroup_path("0::/\n", true) == "/");
  CHECK(parse_cgroup_path("", true).empty());
}

TEST_CASE("the count on this machine never falls") {
  const std::int64_t before = oom_kill_count();
  CHECK(before >= 0);
  CHECK(oom_kill_count() >= before);
}
