#include <algorithm>
#include <array>
#include <atomic>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <string>
#include <system_error>
#include <vector>

#include <fcntl.h>

#include "sdbench/base/config/install_paths.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/files/atomic_file.h"
#include "sdbench/base/files/descriptor.h"
#include "sdbench/base/files/json_io.h"
#include "sdbench/base/files/locked_file.h"
#include "sdbench/base/text/in_quotes.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/front/bench/environment.h"
#include "sdbench/front/commands/commands.h"
#include "sdbench/front/options/arguments.h"
#include "sdbench/front/options/slurm_arguments.h"
#include "sdbench/front/slurm/job_limits.h"
#include "sdbench/front/slurm/job_place.h"
#include "sdbench/front/slurm/job_script.h"
#include "sdbench/front/slurm/sbatch_option.h"
#include "sdbench/front/slurm/slurm_cluster.h"
#include "sdbench/front/slurm/slurm_node.h"
#include "sdbench/front/slurm/slurm_partition.h"
#include "sdbench/front/slurm/slurm_program.h"
#include "sdbench/front/slurm/slurm_queue.h"
#include "sdbench/front/terminal/exit_code.h"
#include "sdbench/front/terminal/interrupt.h"
#include "sdbench/front/terminal/log.h"
#include "sdbench/front/terminal/streams.h"

namespace sdbench {
namespace {

namespace fs = std::filesystem;

constexpr const char* kToken = "token";
constexpr const char* kJobs = "jobs"; ///< folder of the files that the jobs need
constexpr const char* kLock = "submit.lock";

/// True if `holds` is true for every entry of the folder, which may be missing. Throws Error if the
/// folder cannot be read.
template <typename Holds>
bool all_in(const fs::path& folder, Holds holds) {
  std::error_code failure;
  fs::directory_iterator entry(folder, failure);
  for (; !failure && entry != fs::directory_iterator(); entry.increment(failure)) {
    if (!holds(*entry)) {
      return false;
    }
  }
  if (failure && failure != std::errc::no_such_file_or_directory) {
    throw Error("--folder must be a folder that can be read, but " + folder.string() +
                " is not: " + failure.message() + "; name another");
  }
  return true;
}

/// True if the folder is empty, or holds only what a submission makes before its token (one that
/// runs now, or was killed).
bool is_as_new(const fs::path& folder) {
  std::error_code ignored;
  return all_in(folder, [&](const fs::directory_entry& entry) {
    if (entry.path().filename() == kJobs && entry.is_directory(ignored)) {
      return all_in(entry.path(), [&](const fs::directory_entry& of_jobs) {
        return of_jobs.path().filename() == kLock && of_jobs.is_regular_file(ignored);
      });
    }
    return is_unfinished(entry, kToken);
  });
}

/// The token of an earlier submission in this folder, whose rows the jobs continue; else a new one.
std::string token_of(const fs::path& folder) {
  const fs::path file = folder / kToken;
  std::error_code ignored;
  if (!fs::exists(file, ignored)) {
    if (is_as_new(folder)) {
      return random_id();
    }
    if (!fs::exists(file, ignored)) { // another submission may have made it meanwhile
      throw Error("--folder must be new, empty, or of an earlier slurm submit, but " +
                  folder.string() + " holds other files; name another");
    }
  }
  std::string token = read_text_file(file);
  token.erase(token.find_last_not_of('\n') + 1);
  const auto is_of_ours = [](unsigned char letter) { return std::isalnum(letter) != 0; };
  if (token.empty() || !std::ranges::all_of(token, is_of_ours)) {
    throw Error(file.string() + " must hold a token of sdbench, but holds " + in_quotes(token) +
                "; name another --folder");
  }
  return token;
}

/// Moves other resources of --gres to other_gres, because each job has one --gres with its GPUs.
void take_out_other_gres(Submission& submission) {
  constexpr std::array<SbatchOption, 1> kGres{{{"--gres", ""}}};
  const auto gres = value_given(kGres.front(), submission.sbatch_options);
  if (gres && gres->find("gpu") == std::string::npos && *gres != "none") {
    submission.other_gres = *gres;
    submission.sbatch_options = without_options(submission.sbatch_options, kGres);
  }
}

std::string partition_asked(const SlurmArguments& asked) {
  const char* const usual = std::getenv("SBATCH_PARTITION"); // sbatch's own default
  return asked.partition.empty() && usual != nullptr ? usual : asked.partition;
}

/// The submission. Always names the partition, whose nodes the jobs are for, because a printed
/// script may be run elsewhere.
Submission submission_of(const SlurmArguments& asked, const std::string& partition) {
  Submission submission;
  submission.folder = fs::absolute(asked.folder).lexically_normal();
  submission.token = token_of(submission.folder);
  submission.program = executable_path();
  if (!partition.empty()) {
    submission.sbatch_options.push_back("--partition=" + partition);
  }
  std::ranges::copy(asked.sbatch_options, std::back_inserter(submission.sbatch_options));
  take_out_other_gres(submission);
  submission.run_options = asked.run_options;
  submission.start_folder = fs::current_path();
  if (submission.start_folder.string().find('\n') !=
      std::string::npos) { // a script's line ends there
    throw Error("the folder that jobs are submitted from must have a name of one line, but has " +
                in_quotes(submission.start_folder.string()) + "; submit from another");
  }
  submission.exclusive = asked.exclusive;
  submission.in_turn = asked.in_turn;
  submission.asks_for_memory = asked.exclusive || asked.per == JobPer::kGpu;
  submission.again = command_again(asked, submission);
  return submission;
}

/// All jobs but the last, and the nodes that may run the last.
struct Jobs {
  std::vector<JobPlace> places;
  std::vector<JobScript> scripts;
  std::vector<std::string> last_place; ///< options of sbatch
};

Jobs jobs_of(const Submission& submission, JobPer per, const ClusterNodes& nodes) {
  Jobs jobs;
  jobs.places = job_places(per, nodes.wanted, nodes.all);
  jobs.scripts =
      mapped(jobs.places, [&](const JobPlace& place) { return job_script(submission, place); });
  jobs.last_place = any_one_of(nodes.wanted, nodes.all);
  return jobs;
}

fs::path script_file(const Submission& submission, const JobScript& script) {
  return submission.folder / kJobs / (script.name + ".sh");
}

/// Writes the token. Throws Error if a different submission has written its own, so only one of two
/// that begin at once continues. This needs no locks.
void require_token(const Submission& submission) {
  const fs::path token = submission.folder / kToken;
  if (!fs::exists(token)) {
    AtomicFile file(token);
    file.write(submission.token + "\n");
    file.commit_if_new();
  }
  if (token_of(submission.folder) != submission.token) {
    throw Error("--folder must be new, empty, or of an earlier slurm submit, but another "
                "submission has just begun in " +
                submission.folder.string() + "; submit once more to join it, or name another");
  }
}

/// Makes the folder with everything that the jobs need. Keeps the files of an earlier submission,
/// because its jobs may still run. While the result lives, no other submission writes there.
[[nodiscard]] Descriptor made_folder(const Submission& submission) {
  const fs::path jobs = submission.folder / kJobs;
  std::error_code failure;
  fs::create_directories(jobs, failure);
  if (failure) {
    throw Error("cannot make the folder " + jobs.string() + ": " + failure.message());
  }
  const fs::path file = jobs / kLock;
  int reason = 0;
  const auto open = [&] { // writable for other users, too, as far as the umask allows
    Descriptor opened(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
    reason = errno;
    return opened;
  };
  Descriptor lock = locked_file(file, open, "submit into " + submission.folder.string());
  if (!lock.ok()) {
    throw Error("cannot submit into " + submission.folder.string() + ": " + file.string() +
                " must be writable, but is not: " + why_not_writable(file, reason) +
                "; make it so, or name another --folder");
  }
  require_token(submission);
  return lock;
}

/// Cancels the jobs, and returns the end of a message that tells so.
std::string taken_out(const std::vector<std::string>& numbers) {
  if (numbers.empty()) {
    return "";
  }
  if (cancel_jobs(numbers)) {
    return "; the jobs that were queued have been cancelled";
  }
  return "; the jobs that were queued must be cancelled, but are not; cancel them with: scancel " +
         joined(numbers, " ");
}

/// Submits all jobs or none: if one is refused, or `stop` becomes true, cancels those already
/// queued. The last job waits for the others.
std::vector<QueuedJob> submit_all(const Submission& submission, const Jobs& jobs,
                                  const std::atomic<bool>& stop) {
  std::vector<QueuedJob> queued;
  std::vector<std::string> numbers;
  std::string dependency = "--dependency=afterany";
  const auto submit_one = [&](const JobScript& script, const std::vector<std::string>& options,
                              const std::vector<std::string>& unset) {
    const fs::path file = script_file(submission, script);
    write_file_atomically(file, script.text);
    const SubmittedJob job = submit_job(file, options, unset);
    if (!job.number.empty()) {
      numbers.push_back(job.number);
    }
    if (!job.failure.empty()) {
      throw Error(job.failure);
    }
    queued.push_back({job.number, script.name});
    dependency += ":" + numbers.back();
    if (stop) {
      throw Error("the submission was interrupted after the job " + script.name);
    }
  };
  try {
    for (const JobScript& script : jobs.scripts) {
      submit_one(script, submission.sbatch_options, overriding_variables(submission));
    }
    std::vector<std::string> options = collect_options(submission.sbatch_options);
    options.push_back(dependency);
    submit_one(collect_script(submission, queued, jobs.last_place), options,
               collect_variables(submission));
  } catch (const Error& error) {
    throw Error(error.what() + taken_out(numbers));
  }
  return queued;
}

bool has_reservation(const SlurmArguments& asked) {
  return is_given({"--reservation", ""}, asked.sbatch_options) ||
         std::getenv("SBATCH_RESERVATION") != nullptr;
}

/// Prints what may keep the partition's jobs from starting or continuing.
void say_partition(const SlurmPartition& partition, const Submission& submission,
                   spdlog::logger& logger) {
  if (!partition.state.empty() && partition.state != "UP") {
    logger.warn("partition  {} is {}: its jobs wait until it is UP", partition.name,
                partition.state);
  }
  if (partition.cancels_preempted) {
    logger.warn("preempted  partition {} cancels a job that it preempts, and does not requeue it; "
                "then continue with: {}",
                partition.name, submission.again);
  }
}

std::string sharing_words(const SlurmArguments& asked) {
  return asked.exclusive ? "exclusive: no other job is on a job's node; --oversubscribe allows them"
         : asked.per == JobPer::kGpu
             ? "shared: several jobs run on a node at once, each on its own GPU"
             : "as sbatch's options say: other jobs may be on the node";
}

/// The last job makes a page of the other jobs' measurements.
std::string submitted_text(const Submission& submission, const std::vector<QueuedJob>& queued) {
  const auto size = [](const QueuedJob& job) { return job.number.size(); };
  const std::size_t width = size(std::ranges::max(queued, {}, size));
  std::string text;
  for (const QueuedJob& job : queued) {
    const bool is_last = &job == &queued.back();
    const fs::path file = submission.folder / (is_last ? "report.html" : job.name + ".jsonl");
    text += "job " + job.number + std::string(width + 2 - size(job), ' ') + file.string() +
            (is_last ? ", comparison.txt and all.jsonl, once the others have ended\n" : "\n");
  }
  return text;
}

int submit(const std::vector<std::string>& arguments, const Streams& streams) {
  const auto asked = parse_slurm_arguments(arguments, streams.out);
  if (!asked) {
    return kExitSuccess;
  }
  const std::string cluster_variable = std::getenv("SLURM_CLUSTERS") != nullptr ? "SLURM_CLUSTERS"
                                       : std::getenv("SBATCH_CLUSTERS") != nullptr
                                           ? "SBATCH_CLUSTERS"
                                           : "";
  forget_slurm_variables();
  const std::string partition = partition_asked(*asked);
  const ClusterNodes nodes = cluster_nodes(partition, asked->nodelist, has_reservation(*asked));
  const auto partitions = cluster_partitions(partition);
  const Submission submission = submission_of(*asked, partition);
  const Jobs jobs = jobs_of(submission, asked->per, nodes);
  refuse_what_no_job_can_meet(submission.sbatch_options, jobs.places, partitions);
  const auto logger = make_logger(streams.err, 0, streams.err_terminal);
  for (const SlurmNode& node : nodes.left_out) {
    logger->warn("left out   {}, which is {}", node.name, state_words(node));
  }
  if (!cluster_variable.empty()) {
    logger->warn("cluster    {} is ignored: jobs go to the cluster of this machine",
                 cluster_variable);
  }
  for (const SlurmPartition& one : partitions) {
    say_partition(one, submission, *logger);
  }
  logger->info("nodes      {}", sharing_words(*asked));
  if (asked->dry_run) {
    streams.out << submitting_script(submission, jobs.scripts,
                                     collect_script(submission, {}, jobs.last_place));
    return kExitSuccess;
  }
  const Descriptor lock = made_folder(submission);
  const InterruptGuard interrupt;
  try {
    streams.out << submitted_text(submission, submit_all(submission, jobs, interrupt.requested()));
  } catch (const Error& error) {
    if (!interrupt.requested()) {
      throw;
    }
    streams.say(error.what());
    return interrupt.exit_code();
  }
  return kExitSuccess;
}

} // namespace

int slurm_command(const std::vector<std::string>& arguments, const Streams& streams) {
  LeadingWord leading = leading_word(arguments);
  if (!leading.asks_for_help && leading.word != "submit") {
    throw UsageError("slurm must be followed by submit, but is followed by " +
                     (leading.word.empty() ? "nothing" : in_quotes(leading.word)) +
                     "; write sdbench slurm submit -- --model sd15");
  }
  return submit(leading.rest, streams);
}

} // namespace sdbench
