#include "sdbench/front/machine/slurm_job.h"

#include <utility>

#include "catch.h"
#include "environment.h"

using namespace sdbench;
using sdbench::test::EnvironmentVariable;

TEST_CASE("only a job that no other may stand beside has its node for itself") {
  const std::string before = "JobId=7 JobName=x DelayBoot=00:00:00";
  CHECK(node_sharing(before + " OverSubscribe=NO Contiguous=0") == "exclusive");
  CHECK(node_sharing(before + " OverSubscribe=OK Contiguous=0") == "shared");
  CHECK(node_sharing(before + " OverSubscribe=YES\n") == "shared");
  CHECK(node_sharing(before + " OverSubscribe=USER") == "shared"); // the user's other jobs
  CHECK(node_sharing(before).empty());
}

TEST_CASE("a process outside of Slurm belongs to no job, whatever else is set") {
  const EnvironmentVariable id("SLURM_JOB_ID", nullptr);
  const EnvironmentVariable node("SLURMD_NODENAME", "node1");
  CHECK(read_slurm_job().id.empty());
  CHECK(read_slurm_job().node.empty());
}

TEST_CASE(
    "a job knows its node and partition, and says nothing of others where scontrol is silent") {
  const EnvironmentVariable id("SLURM_JOB_ID", "12");
  const EnvironmentVariable node("SLURMD_NODENAME", "node1");
  const EnvironmentVariable partition("SLURM_JOB_PARTITION", "gpu");
  const EnvironmentVariable path("PATH", "/nowhere");
  const SlurmJob job = read_slurm_job();
  CHECK(job.id == "12");
  CHECK(job.node == "node1");
  CHECK(job.partition == "gpu");
  CHECK(job.sharing.empty());
}

TEST_CASE("a job that began before knows it") {
  const EnvironmentVariable id("SLURM_JOB_ID", "12");
  const EnvironmentVariable path("PATH", "/nowhere");
  for (const auto& [count, is_restarted] :
       {std::pair<const char*, bool>{nullptr, false}, {"0", false}, {"2", true}}) {
    const EnvironmentVariable restarts("SLURM_RESTART_COUNT", count);
    CHECK(read_slurm_job().is_restarted == is_restarted);
  }
}
