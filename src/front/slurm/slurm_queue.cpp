#include "sdbench/front/slurm/slurm_queue.h"

#include <stdlib.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "sdbench/base/errors/error.h"
#include "sdbench/base/text/escape.h"
#include "sdbench/base/text/in_quotes.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/front/machine/program_output.h"
#include "sdbench/front/slurm/slurm_program.h"

namespace sdbench {
namespace {

constexpr const char* kMayBeQueued = "; the job may be in the queue all the same: see squeue";

/// The number in the only line that has just a number ("12", "12;cluster"). Empty without such a
/// line, or if several differ.
std::string number_printed(std::string_view out) {
  constexpr std::string_view kBlanks = " \t\r";
  std::set<std::string> numbers;
  for (std::string_view line : split(out, '\n')) {
    line.remove_prefix(std::min(line.find_first_not_of(kBlanks), line.size()));
    line = line.substr(0, line.find(';'));
    line = line.substr(0, line.find_last_not_of(kBlanks) + 1);
    if (!line.empty() && line.find_first_not_of("0123456789") == std::string_view::npos) {
      numbers.emplace(line);
    }
  }
  return numbers.size() == 1 ? *numbers.begin() : "";
}

/// True if the controller may have taken the job although sbatch failed: a signal ended sbatch, or
/// it gave up waiting for an answer.
bool may_be_queued(const ProgramOutput& answer) {
  constexpr int kBySignal = 128;
  constexpr int kLastSignal = 64;
  return (answer.code > kBySignal && answer.code <= kBySignal + kLastSignal) ||
         answer.err.find("timed out") != std::string::npos;
}

} // namespace

SubmittedJob submit_job(const std::filesystem::path& script,
                        const std::vector<std::string>& options,
                        const std::vector<std::string>& unset) {
  for (const std::string& variable : unset) {
    ::unsetenv(variable.c_str());
  }
  std::vector<std::string> command = {"sbatch", "--parsable"};
  command.insert(command.end(), options.begin(), options.end());
  command.push_back(script.string());
  const std::string name = script.stem().string();
  try {
    const ProgramOutput answer = slurm_answer(std::move(command));
    SubmittedJob job{number_printed(answer.out), ""};
    if (answer.code != 0) {
      job.failure = refusal_words("sbatch", "take the job " + name, answer);
      job.failure += job.number.empty() && may_be_queued(answer) ? kMayBeQueued : "";
    } else if (job.number.empty()) {
      std::string words = one_line(answer.out);
      words.erase(words.find_last_not_of(' ') + 1);
      job.failure = "sbatch must print the number of the job " + name +
                    " in a line of its own, but prints " + in_quotes(words) + kMayBeQueued;
    }
    return job;
  } catch (const ProgramTooSlow& error) {
    return {"", std::string(error.what()) + kMayBeQueued};
  }
}

bool cancel_jobs(const std::vector<std::string>& jobs) {
  std::vector<std::string> command = {"scancel"};
  command.insert(command.end(), jobs.begin(), jobs.end());
  try {
    return slurm_answer(std::move(command)).code == 0;
  } catch (const Error&) { // the user must read why jobs are cancelled, not this
    return false;
  }
}

} // namespace sdbench
