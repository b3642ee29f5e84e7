#include "slurm_command.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <iterator>
#include <system_error>

#include "sdbench/base/config/install_paths.h"
#include "sdbench/base/core/error.h"
#include "sdbench/base/core/in_quotes.h"
#include "sdbench/base/core/json_io.h"
#include "sdbench/front/bench/environment.h"
#include "sdbench/front/cli/arguments.h"
#include "sdbench/front/cli/exit_code.h"
#include "sdbench/front/cli/log.h"
#include "sdbench/front/slurm/job_script.h"
#include "sdbench/front/slurm/slurm_cluster.h"
#include "slurm_arguments.h"

namespace sdbench {
namespace {

namespace fs = std::filesystem;

/// The name of an earlier submission, whose rows the jobs then go on from; else a new one.
std::string token_of(const fs::path& folder) {
  const fs::path file = folder / "token";
  std::error_code ignored;
  if (!fs::exists(file, ignored)) {
    if (fs::exists(folder, ignored) && !fs::is_empty(folder, ignored)) {
      throw Error("--folder must be new, empty, or of an earlier slurm submit, but " +
                  folder.string() + " holds other files; name another");
    }
    return random_id();
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

std::string partition_asked(const SlurmArguments& asked) {
  const char* const usual = std::getenv("SBATCH_PARTITION"); // as sbatch takes it
  return asked.partition.empty() && usual != nullptr ? usual : asked.partition;
}

Submission submission_of(const SlurmArguments& asked) {
  Submission submission;
  submission.folder = fs::absolute(asked.folder).lexically_normal();
  submission.token = token_of(submission.folder);
  submission.program = executable_path();
  if (!asked.partition.empty()) {
    submission.sbatch_options.push_back("--partition=" + asked.partition);
  }
  std::ranges::copy(asked.sbatch_options, std::back_inserter(submission.sbatch_options));
  submission.run_options = asked.run_options;
  submission.exclusive = asked.exclusive;
  submission.submitted_s = std::time(nullptr);
  return submission;
}

/// The folder with all that the jobs look for there.
void make_folder(const Submission& submission, const std::vector<JobScript>& scripts) {
  const fs::path jobs = submission.folder / "jobs";
  std::error_code failure;
  fs::create_directories(jobs, failure);
  if (failure) {
    throw Error("cannot make the folder " + jobs.string() + ": " + failure.message());
  }
  write_file_atomically(submission.folder / "token", submission.token + "\n");
  for (const JobScript& script : scripts) {
    write_file_atomically(jobs / (script.name + ".sh"), script.text);
    fs::remove(jobs / (script.name + ".state"), failure); // of an earlier submission
  }
}

/// All or none of them: what is queued already goes where one is refused. The last waits for the
/// others.
std::vector<std::string> submit_all(const Submission& submission,
                                    const std::vector<JobScript>& scripts) {
  std::vector<std::string> numbers;
  std::string dependency = "--dependency=afterany";
  try {
    for (const JobScript& script : scripts) {
      std::vector<std::string> options = submission.sbatch_options;
      if (&script == &scripts.back()) {
        options.push_back(dependency);
      }
      numbers.push_back(submit_job(submission.folder / "jobs" / (script.name + ".sh"), options,
                                   overriding_variables(submission)));
      dependency += ":" + numbers.back();
    }
  } catch (const Error& error) {
    cancel_jobs(numbers);
    throw Error(std::string(error.what()) +
                (numbers.empty() ? "" : "; those before it are taken out of the queue again"));
  }
  return numbers;
}

std::string sharing_words(const SlurmArguments& asked) {
  return asked.exclusive ? "exclusive: no other job is on a job's node; --oversubscribe allows them"
         : asked.per == JobPer::kGpu
             ? "shared: jobs are beside each other on a node, each on its own GPU"
             : "as sbatch's options say: other jobs may be there";
}

std::string submitted_text(const Submission& submission, const std::vector<JobScript>& scripts,
                           const std::vector<std::string>& numbers) {
  std::size_t width = 0;
  for (const std::string& number : numbers) {
    width = std::max(width, number.size());
  }
  const auto line = [&](std::size_t i, const std::string& words) {
    return "job " + numbers[i] + std::string(width + 2 - numbers[i].size(), ' ') + words + "\n";
  };
  std::string text;
  for (std::size_t i = 0; i + 1 < scripts.size(); ++i) {
    text += line(i, (submission.folder / (scripts[i].name + ".jsonl")).string());
  }
  return text +
         line(scripts.size() - 1, (submission.folder / "report.html").string() +
                                      ", comparison.txt and all.jsonl, once the others have ended");
}

int submit(const std::vector<std::string>& arguments, const Streams& streams) {
  const auto asked = parse_slurm_arguments(arguments, streams.out);
  if (!asked) {
    return kExitSuccess;
  }
  const ClusterNodes nodes = cluster_nodes(partition_asked(*asked), asked->nodelist);
  const Submission submission = submission_of(*asked);
  std::vector<JobScript> scripts;
  std::vector<std::string> names;
  for (const JobPlace& place : job_places(asked->per, nodes.wanted, nodes.all)) {
    scripts.push_back(job_script(submission, place));
    names.push_back(place.name);
  }
  const JobScript collect = collect_script(submission, names, any_one_of(nodes.wanted, nodes.all));
  const auto logger = make_logger(streams.err, 0, streams.err_terminal);
  for (const SlurmNode& node : nodes.left_out) {
    logger->warn("left out   {}, which is {}", node.name, node.state);
  }
  logger->info("nodes      {}", sharing_words(*asked));
  if (asked->dry_run) {
    streams.out << submitting_script(submission, scripts, collect);
    return kExitSuccess;
  }
  scripts.push_back(collect);
  make_folder(submission, scripts);
  streams.out << submitted_text(submission, scripts, submit_all(submission, scripts));
  return kExitSuccess;
}

} // namespace

int slurm_command(const std::vector<std::string>& arguments, const Streams& streams) {
  LeadingWord leading = leading_word(arguments);
  if (!leading.asks_for_help && leading.word != "submit") {
    throw UsageError("slurm must be followed by submit, but is by " +
                     (leading.word.empty() ? "nothing" : in_quotes(leading.word)) +
                     "; write sdbench slurm submit -- --model sd15");
  }
  return submit(leading.rest, streams);
}

} // namespace sdbench
