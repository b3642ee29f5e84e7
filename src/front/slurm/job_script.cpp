#include "sdbench/front/slurm/job_script.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>

#include "sdbench/base/config/install_paths.h"
#include "sdbench/base/files/json_io.h"
#include "sdbench/base/text/escape.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/front/slurm/sbatch_option.h"
#include "sdbench/front/slurm/slurm_program.h"
#include "sdbench/front/slurm/time_limit.h"

namespace sdbench {
namespace {

using Words = std::vector<std::string>;

std::string body(const char* file) {
  const std::filesystem::path folder = share_folder() / "slurm";
  return read_text_file(folder / "folder.sh") + read_text_file(folder / file);
}

/// Quotes a word of a #SBATCH line. Unlike a shell, sbatch reads a backslash in single quotes as
/// an escape.
std::string sbatch_word(const std::string& word) {
  std::string doubled;
  for (const char letter : word) {
    doubled += letter == '\\' ? "\\\\" : std::string(1, letter);
  }
  return shell_word(doubled);
}

/// One line per option, with the words that follow it.
std::string sbatch_lines(const Words& options) {
  std::string lines;
  for (const std::string& word : options) {
    lines += (word.starts_with('-') && word.size() > 1 ? "\n#SBATCH " : " ") + sbatch_word(word);
  }
  return lines;
}

std::string array_of(const Words& words) {
  return "(" + joined(mapped(words, shell_word), " ") + ")";
}

/// The user's options come last, because sbatch takes the last of two.
std::string script_head(const Submission& submission, const std::string& name, const Words& options,
                        const Words& users) {
  std::string text = "#!/bin/bash\n#SBATCH --job-name=" + sbatch_word("sdbench-" + name) +
                     "\n#SBATCH --nodes=1\n#SBATCH --ntasks=1\n#SBATCH --requeue"
                     // The script writes its own log once it knows that the folder is there.
                     "\n#SBATCH --output=/dev/null\n#SBATCH --chdir=" +
                     sbatch_word(submission.start_folder.string());
  text += sbatch_lines(options) + sbatch_lines(users) + "\n\n";
  text += "name=" + shell_word(name) + "\nfolder=" + shell_word(submission.folder.string()) +
          "\ntoken=" + shell_word(submission.token) +
          "\nprogram=" + shell_word(submission.program.string()) +
          "\nagain=" + shell_word(submission.again) + "\n";
  return text;
}

bool ask_for_memory(const Words& options) {
  constexpr std::array<SbatchOption, 3> kAmounts{
      {{"--mem", ""}, {"--mem-per-cpu", ""}, {"--mem-per-gpu", ""}}};
  return std::ranges::any_of(kAmounts,
                             [&](const SbatchOption& amount) { return is_given(amount, options); });
}

/// Options for the place's resources, except for those that the user's options set.
Words resources_of(const Submission& submission, const JobPlace& place) {
  Words options;
  const bool has_gpus = !place.gres.empty() && !count_gpus(submission.sbatch_options);
  if (const std::string gres = joined({has_gpus ? place.gres : "", submission.other_gres}, ",");
      !gres.empty()) {
    options.push_back("--gres=" + gres);
  }
  if (place.cpus > 0 && !is_given({"--cpus-per-gpu", ""}, submission.sbatch_options) &&
      !cpus_of_tres_per_task(submission.sbatch_options)) {
    options.push_back("--cpus-per-task=" + std::to_string(place.cpus));
  }
  return options;
}

constexpr const char* kJobs = "jobs=("; // begins a script's line of queued jobs ("12:node1")

/// Shell code that submits a job. `reader` reads the job's text: sbatch, or a filter with sbatch
/// in `behind`. The random token in the end mark keeps lines of the text from ending it.
std::string submits(const Submission& submission, const JobScript& script,
                    const std::string& reader, const std::string& behind = "") {
  const std::string mark = "END_" + submission.token;
  return "\n# " + script.name + "\ncode=0\njob=$(trap '' INT TERM HUP; exec 2>&1; " + reader +
         " <<'" + mark + "'" + behind + "\n" + script.text + mark + "\n) || code=$?\nqueued " +
         shell_word(script.name) + " $code \"$job\"\n";
}

/// Shell code that makes the folder, or refuses one of a different submission. A link, unlike a
/// redirection, replaces nothing, so only one of two submissions that begin at once goes on.
std::string makes_folder(const Submission& submission) {
  return "local folder=" + shell_word(submission.folder.string()) +
         " token=" + shell_word(submission.token) + R"END(
mkdir -p "$folder/jobs"
echo "$token" >"$folder/token.tmp$$"
ln "$folder/token.tmp$$" "$folder/token" 2>/dev/null || mv -n "$folder/token.tmp$$" "$folder/token" || true
rm -f "$folder/token.tmp$$"
[ "$(cat "$folder/token")" = "$token" ] || {
  echo "$folder is of another submission; print this script again, or name another --folder" >&2
  exit 1
}
)END";
}

/// bash reads a whole function before it runs it, so that a script that was cut off does nothing.
constexpr const char* kPrintedHead = R"(#!/bin/bash
# What sdbench slurm submit does. Change it, and run it.
set -eu
jobs=() # "12:node1"
cancel() {
  local what='have been cancelled'
  [ ${#jobs[@]} -eq 0 ] || scancel "${jobs[@]%%:*}" ||
    what="must be cancelled, but are not; cancel them with: scancel ${jobs[*]%%:*}"
  echo "not all jobs were submitted; those whose numbers are known $what" >&2
}
# A signal is heard once sbatch has answered, for its job is to be cancelled, too.
signal=''
trap 'signal=130' INT
trap 'signal=143' TERM HUP
# queued NAME CODE ANSWER: the line of all that sbatch has said that is a number is the job's. A site's sbatch may print others.
is_number='[[:blank:]]*\([0-9]\{1,\}\)[[:blank:]]*\(;.*\)\{0,1\}[[:cntrl:]]*'
queued() {
  local number why=''
  number=$(printf '%s\n' "$3" | sed -n "s/^$is_number\$/\1/p" | sort -u)
  printf '%s\n' "$3" | sed "/^$is_number\$/d; /^\$/d" >&2
  case $2:$number in
  *:*[!0-9]* | 0:) why='sbatch must print its number in a line of its own, but does not; ' ;;
  *:) [ "$2" -le 128 ] || [ "$2" -gt 192 ] || why='sbatch was ended; ' ;;
  esac
  case $2:$number:$3 in *::*'timed out'*) why='sbatch has got no answer; ' ;; esac
  [ -z "$why" ] || echo "the job $1 may be in the queue all the same, because ${why}see squeue" >&2
  case $number in '' | *[!0-9]*) [ "$2" != 0 ] && exit "$2" || exit 1 ;; esac
  jobs+=("$number:$1")
  [ "$2" = 0 ] || exit "$2"
  [ -z "$signal" ] || exit "$signal"
  echo "job $number  $1"
}
submit() {
)";

/// An option or variable for a resource that the computing jobs need but the collecting one does
/// not.
struct Resource {
  SbatchOption option;       ///< no name if there is only a variable
  std::string_view variable; ///< empty if there is none
};

/// Has no --mem or --mem-per-cpu, because some sites refuse a job that does not name its memory.
constexpr std::array<Resource, 35> kResources{
    {{{"--bb", ""}, "SBATCH_BURST_BUFFER"},
     {{"--bbf", ""}, ""},
     {{"--core-spec", "-S"}, "SBATCH_CORE_SPEC"},
     {{"--cores-per-socket", ""}, ""},
     {{"--cpu-freq", ""}, "SBATCH_CPU_FREQ_REQ"},
     {{"--cpus-per-gpu", ""}, "SBATCH_CPUS_PER_GPU"},
     {{"--cpus-per-task", "-c"}, ""},
     {{"--exclusive", ""}, "SBATCH_EXCLUSIVE"},
     {{"--extra-node-info", "-B"}, ""},
     {{"--gpu-bind", ""}, "SBATCH_GPU_BIND"},
     {{"--gpu-freq", ""}, "SBATCH_GPU_FREQ"},
     {{"--gres-flags", ""}, "SBATCH_GRES_FLAGS"},
     {{"--hint", ""}, "SBATCH_HINT"},
     {{"", ""}, "SLURM_HINT"},
     {{"--licenses", "-L"}, ""},
     {{"--mem-bind", ""}, "SBATCH_MEM_BIND"},
     {{"--mem-per-gpu", ""}, "SBATCH_MEM_PER_GPU"},
     {{"", ""}, "SBATCH_MEM_PER_CPU"},
     {{"", ""}, "SBATCH_MEM_PER_NODE"},
     {{"--mincpus", ""}, ""},
     {{"--network", ""}, "SBATCH_NETWORK"},
     {{"--ntasks", "-n"}, ""},
     {{"--ntasks-per-core", ""}, ""},
     {{"--ntasks-per-gpu", ""}, ""},
     {{"--ntasks-per-node", ""}, ""},
     {{"--ntasks-per-socket", ""}, ""},
     {{"--segment", ""}, "SBATCH_SEGMENT_SIZE"},
     {{"--sockets-per-node", ""}, ""},
     {{"--switches", ""}, "SBATCH_REQ_SWITCH"},
     {{"", ""}, "SBATCH_WAIT4SWITCH"},
     {{"--thread-spec", ""}, "SBATCH_THREAD_SPEC"},
     {{"--threads-per-core", ""}, "SBATCH_THREADS_PER_CORE"},
     {{"--tmp", ""}, ""},
     {{"--tres-bind", ""}, "SBATCH_TRES_BIND"},
     {{"--tres-per-task", ""}, "SBATCH_TRES_PER_TASK"}}};

} // namespace

std::vector<std::string> overriding_variables(const Submission& submission) {
  Words variables = {
      "SBATCH_ARRAY_INX",  "SBATCH_PARTITION",     "SBATCH_EXCLUSIVE",     "SBATCH_GRES",
      "SBATCH_GPUS",       "SBATCH_GPUS_PER_NODE", "SBATCH_GPUS_PER_TASK", "SBATCH_GPUS_PER_SOCKET",
      "SBATCH_NO_REQUEUE", "SBATCH_SIGNAL",        "SBATCH_JOB_NAME",      "SBATCH_WAIT",
      "SBATCH_CLUSTERS",   "SBATCH_CPUS_PER_GPU",  "SBATCH_TRES_PER_TASK", "SBATCH_TRES_BIND",
      "SBATCH_GPU_BIND",   "SBATCH_GPU_FREQ",      "SBATCH_GRES_FLAGS",    "SBATCH_OUTPUT"};
  if (submission.asks_for_memory) {
    variables.insert(variables.end(),
                     {"SBATCH_MEM_PER_CPU", "SBATCH_MEM_PER_GPU", "SBATCH_MEM_PER_NODE"});
  }
  return variables;
}

std::vector<std::string> collect_variables(const Submission& submission) {
  Words variables = overriding_variables(submission);
  for (const Resource& resource : kResources) {
    if (!resource.variable.empty()) {
      variables.emplace_back(resource.variable);
    }
  }
  return variables;
}

JobScript job_script(const Submission& submission, const JobPlace& place) {
  Words options = place.options;
  std::ranges::move(resources_of(submission, place), std::back_inserter(options));
  options.emplace_back("--signal=B:USR1@" + std::to_string(kEndNoticeS));
  if (submission.exclusive) {
    options.emplace_back("--exclusive");
  }
  if (submission.in_turn) {
    options.emplace_back("--dependency=singleton"); // waits for all earlier jobs of its name
  }
  if (submission.asks_for_memory && !ask_for_memory(submission.sbatch_options)) {
    if (submission.exclusive) {
      options.emplace_back("--mem=0"); // all memory of the node
    } else if (place.memory_mb > 0) {
      options.emplace_back("--mem=" + std::to_string(place.memory_mb) + "M");
    }
  }
  return {place.name, script_head(submission, place.name, options, submission.sbatch_options) +
                          "start_folder=" + shell_word(submission.start_folder.string()) +
                          "\none_gpu=" + (place.has_one_gpu ? "yes" : "") + "\nrun_options=" +
                          array_of(submission.run_options) + "\n\n" + body("job.sh")};
}

std::vector<std::string> collect_options(const Words& sbatch_options) {
  const auto is_option = [](const SbatchOption& option) { return !option.name.empty(); };
  const auto others = filtered(mapped(kResources, &Resource::option), is_option);
  return without_options(without_options(sbatch_options, kGpuCounts), others);
}

JobScript collect_script(const Submission& submission, const std::vector<QueuedJob>& jobs,
                         const Words& place_options) {
  const std::string name = "collect";
  Words pairs = mapped(jobs, [&](const QueuedJob& job) { return job.number + ":" + job.name; });
  return {name,
          script_head(submission, name, place_options, collect_options(submission.sbatch_options)) +
              kJobs + joined(pairs, " ") + ")\n\n" + body("collect.sh")};
}

std::string submitting_script(const Submission& submission, const std::vector<JobScript>& jobs,
                              const JobScript& collect) {
  const auto sbatch_with = [](const Words& options) {
    std::string command = "sbatch --parsable";
    for (const std::string& word : options) {
      command += " " + shell_word(word); // the environment cannot override the command line
    }
    return command;
  };
  const std::string sbatch = sbatch_with(submission.sbatch_options);
  std::string text = kPrintedHead + makes_folder(submission) + "unset" + unset_words() + " " +
                     joined(overriding_variables(submission), " ") + "\ntrap cancel EXIT\n";
  for (const JobScript& job : jobs) {
    text += submits(submission, job, sbatch);
  }
  return text + "\nunset " + joined(collect_variables(submission), " ") +
         "\nafter=$(printf ':%s' \"${jobs[@]%%:*}\")\n" +
         submits(submission, collect,
                 std::string("sed \"s/^") + kJobs + ")$/" + kJobs + "${jobs[*]})/\"",
                 " | " + sbatch_with(collect_options(submission.sbatch_options)) +
                     " \"--dependency=afterany$after\"") +
         "trap - EXIT\n}\nsubmit\n";
}

} // namespace sdbench
