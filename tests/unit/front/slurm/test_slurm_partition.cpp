#include "sdbench/front/slurm/slurm_partition.h"

#include "catch.h"

using namespace sdbench;

namespace {

// As scontrol of Slurm 22.05 prints them, shortened.
constexpr const char* kLines =
    "PartitionName=main AllowQos=ALL Default=YES DefaultTime=NONE MaxNodes=UNLIMITED "
    "MaxTime=UNLIMITED MinNodes=0 MaxCPUsPerNode=UNLIMITED Nodes=node[1-2] PreemptMode=REQUEUE "
    "State=UP MaxMemPerNode=UNLIMITED TRES=cpu=4\n"
    "PartitionName=short Default=NO DefaultTime=00:01:00 MaxNodes=3 MaxTime=1-00:10:00 MinNodes=2 "
    "MaxCPUsPerNode=6 PreemptMode=GANG,CANCEL State=DOWN MaxMemPerNode=500\n"
    "PartitionName=other Default=NO MaxNodes=0 MaxCPUsPerNode=0 MaxMemPerCPU=900\n"
    "PartitionName=zero Default=NO MaxMemPerNode=0\n\n";

} // namespace

TEST_CASE("what a partition gives is read, and what it does not tell is no limit") {
  const auto usual = parse_partitions(kLines, "");
  REQUIRE(usual.size() == 1);
  CHECK(usual[0].name == "main");
  CHECK_FALSE(usual[0].max_time_s);
  CHECK_FALSE(usual[0].max_memory_mb);
  CHECK_FALSE(usual[0].max_memory_mb_per_cpu);
  CHECK_FALSE(usual[0].max_nodes);
  CHECK_FALSE(usual[0].max_cpus);
  CHECK_FALSE(usual[0].cancels_preempted);
  const auto asked = parse_partitions(kLines, "short");
  REQUIRE(asked.size() == 1);
  CHECK(asked[0].max_time_s == 24 * 3600 + 600);
  CHECK(asked[0].default_time_s == 60);
  CHECK(asked[0].min_nodes == 2);
  CHECK(asked[0].max_memory_mb == 500);
  CHECK(asked[0].cancels_preempted);
  CHECK(asked[0].state == "DOWN");
  CHECK(asked[0].max_nodes == 3);
  CHECK(asked[0].max_cpus == 6);
  const auto others = parse_partitions(kLines, "other,zero");
  REQUIRE(others.size() == 2);
  CHECK(others[0].max_memory_mb_per_cpu == 900);
  CHECK_FALSE(others[0].max_memory_mb);
  CHECK(others[0].max_nodes == 0);
  CHECK_FALSE(others[0].max_cpus);
  CHECK_FALSE(others[1].max_memory_mb);
}

TEST_CASE("of several partitions those that were asked for are read") {
  CHECK(parse_partitions(kLines, "short,main").size() == 2);
  CHECK(parse_partitions(kLines, "none").empty());
  CHECK(parse_partitions("no such thing\n", "").empty());
}
