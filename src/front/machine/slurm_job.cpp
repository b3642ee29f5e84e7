#include "sdbench/front/machine/slurm_job.h"

#include <cstdlib>

#include "sdbench/base/errors/error.h"
#include "sdbench/front/machine/program_output.h"

namespace sdbench {
namespace {

constexpr double kPatienceS = 5; // this fact is not worth a longer wait

std::string slurm_variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::string sharing_of_job(const std::string& id) {
  try {
    // The job runs on this cluster, even if the user's SLURM_CLUSTERS names a different one.
    const auto answer = program_output(
        {"env", "-u", "SLURM_CLUSTERS", "scontrol", "--oneliner", "show", "job", id}, kPatienceS);
    return answer && answer->code == 0 ? node_sharing(answer->out) : "";
  } catch (const Error&) {
    return "";
  }
}

} // namespace

std::string node_sharing(std::string_view job_line) {
  constexpr std::string_view kKey = " OverSubscribe=";
  const std::size_t at = job_line.find(kKey);
  if (at == std::string_view::npos) {
    return "";
  }
  const std::string_view rest = job_line.substr(at + kKey.size());
  return rest.substr(0, rest.find_first_of(" \n")) == "NO" ? "exclusive" : "shared";
}

SlurmJob read_slurm_job() {
  SlurmJob job;
  job.id = slurm_variable("SLURM_JOB_ID");
  if (job.id.empty()) {
    return {};
  }
  job.node = slurm_variable("SLURMD_NODENAME");
  job.partition = slurm_variable("SLURM_JOB_PARTITION");
  job.sharing = sharing_of_job(job.id);
  const std::string restarts = slurm_variable("SLURM_RESTART_COUNT");
  job.is_restarted = !restarts.empty() && restarts != "0";
  return job;
}

const SlurmJob& slurm_job() {
  static const SlurmJob job = read_slurm_job();
  return job;
}

} // namespace sdbench
