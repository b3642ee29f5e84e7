#include "sdbench/front/options/slurm_arguments.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <functional>
#include <iterator>
#include <sstream>
#include <string_view>
#include <utility>

#include "sdbench/base/config/run_options.h"
#include "sdbench/base/device/device_kind_table.h"
#include "sdbench/base/device/device_name.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/errors/suggestion.h"
#include "sdbench/base/text/escape.h"
#include "sdbench/base/text/in_quotes.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/front/options/arguments.h"
#include "sdbench/front/options/run_arguments.h"
#include "sdbench/front/slurm/sbatch_option.h"
#include "sdbench/front/slurm/time_limit.h"

namespace sdbench {
namespace {

using Words = std::vector<std::string>;

constexpr const char* kSubmitExamples =
    "All other options before -- are sbatch's (--time, --account, --gres ...), options after it "
    "are\n"
    "sdbench run's. A requeued job continues where it stopped. The last job joins all rows.\n"
    "Examples:\n"
    "  sdbench slurm submit --time 2:00:00 -- --model sd15 --dtype fp16,bf16\n"
    "  sdbench slurm submit --per type -p gpu --dry-run -- --preset lake-house > submit.sh\n"
    "  sdbench slurm submit --nodelist node[1-4] --account lab -- --batch 1,2,4,8";

constexpr std::array<std::pair<std::string_view, JobPer>, 3> kPers{std::pair{"node", JobPer::kNode},
                                                                   std::pair{"type", JobPer::kType},
                                                                   std::pair{"gpu", JobPer::kGpu}};

} // namespace

std::string name_of(JobPer per) {
  return std::string(
      std::ranges::find(kPers, per, &std::pair<std::string_view, JobPer>::second)->first);
}

namespace {

JobPer per_named(const std::string& name) {
  const auto found = std::ranges::find(kPers, name, &std::pair<std::string_view, JobPer>::first);
  if (found == kPers.end()) {
    throw UsageError("--per must be node, type or gpu, but is " + in_quotes(name) +
                     did_you_mean(name, mapped<std::string>(
                                            kPers, &std::pair<std::string_view, JobPer>::first)));
  }
  return found->second;
}

/// The same, but refuses an empty name. It is a mistake, such as an unset variable of a script, and
/// never means "not given".
std::string name_given(const CLI::Option& option) {
  std::string name = single_value(&option);
  if (option.count() > 0 && name.empty()) {
    throw UsageError(option.get_name() + " must not be empty; leave it out, or give " +
                     option.get_type_name());
  }
  return name;
}

/// A job is told of its end kEndNoticeS before. If its time were no longer than that, it would end
/// at once.
void refuse_short_time(const std::string& name, const std::optional<std::string>& value) {
  const auto seconds = time_limit_s(value.value_or(""));
  if (seconds && *seconds <= kEndNoticeS) {
    throw UsageError(
        name + " must be more than " + std::to_string(kEndNoticeS / 60) + " minutes, but is " +
        in_quotes(*value) +
        ": that long before its end, a job stops its cell and asks to be started again; give more");
  }
}

void refuse_short_times(const Words& words) {
  const auto time = value_given({"--time", "-t"}, words);
  const char* const usual = std::getenv("SBATCH_TIMELIMIT");
  if (!time && usual != nullptr) {
    refuse_short_time("SBATCH_TIMELIMIT", usual);
  }
  refuse_short_time("--time", time);
  refuse_short_time("--time-min", value_given({"--time-min", ""}, words));
}

/// sbatch reads a script's options line by line, so text after a line's end would be run.
void refuse_several_lines(const Words& words) {
  const auto found = std::ranges::find_if(
      words, [](const std::string& word) { return word.find('\n') != std::string::npos; });
  if (found != words.end()) {
    throw UsageError("SBATCH OPTIONS must be of one line each, but there is " + in_quotes(*found));
  }
}

/// sbatch would take such a word for the script.
void refuse_words_of_no_option(const Words& words) {
  bool may_be_value = false;
  for (const std::string& word : words) {
    const bool is_option = word.starts_with('-');
    if (!is_option && !may_be_value) {
      throw UsageError("SBATCH OPTIONS must be options, but there is " + in_quotes(word) +
                       "; put the options of sdbench run after --");
    }
    may_be_value = is_option && may_take_next_word(word);
  }
}

/// Refuses options that sdbench sets itself.
void refuse_own_options(const Words& words) {
  constexpr std::array<std::pair<SbatchOption, const char*>, 16> kOwn{
      std::pair{SbatchOption{"--nodes", "-N"}, "a job has one node; leave it out"},
      std::pair{SbatchOption{"--array", "-a"}, "--per says how many jobs there are; leave it out"},
      std::pair{SbatchOption{"--exclude", "-x"},
                "--nodelist says where jobs may run; leave it out"},
      std::pair{SbatchOption{"--wrap", ""}, "the script is sdbench's; leave it out"},
      std::pair{SbatchOption{"--signal", ""},
                "a job is warned two minutes before its end; leave it out"},
      std::pair{SbatchOption{"--wait", "-W"}, "nothing waits for the jobs; see squeue"},
      std::pair{SbatchOption{"--quiet", "-Q"}, "sbatch must print the numbers of the jobs"},
      std::pair{SbatchOption{"--no-requeue", ""},
                "a job continues after its requeue; leave it out"},
      std::pair{SbatchOption{"--test-only", ""}, "--dry-run prints what would be submitted"},
      std::pair{SbatchOption{"--version", "-V"}, "sbatch would print it, and submit nothing"},
      std::pair{SbatchOption{"--usage", ""}, "sbatch would print it, and submit nothing"},
      std::pair{SbatchOption{"--clusters", "-M"}, "submit on a machine of that cluster"},
      std::pair{SbatchOption{"--nodefile", "-F"}, "--nodelist names nodes"},
      std::pair{SbatchOption{"--chdir", "-D"},
                "jobs start in the folder that you submit from, and paths are relative to it"},
      std::pair{SbatchOption{"--nodelist", ""}, "write the name whole"},
      std::pair{SbatchOption{"--partition", ""}, "write the name whole"}};
  for (const auto& [option, advice] : kOwn) {
    if (is_given(option, words)) {
      throw UsageError("SBATCH OPTIONS must leave " + std::string(option.name) +
                       " to sdbench, but hold it: " + advice);
    }
  }
}

bool say_how_nodes_are_shared(const Words& words) {
  return is_given({"--exclusive", ""}, words) || is_given({"--oversubscribe", "-s"}, words);
}

/// True for --exclusive without a value. With one (=user), it lets some other jobs onto the node.
bool asks_for_whole_nodes(const Words& words) {
  return std::ranges::any_of(words, [](std::string_view word) {
    return is_name_of(word, {"--exclusive", ""});
  });
}

/// Each job asks for its own GPU. Slurm gives a job of a whole node all GPUs of the node.
void refuse_other_gpus(const Words& words) {
  for (const SbatchOption& option : kGpuCounts) {
    if (is_given(option, words)) {
      throw UsageError(
          "--per gpu must not have " + std::string(option.name) +
          ", because each job asks for one GPU; write --per node to ask for GPUs yourself");
    }
  }
  if (count_gpus(words)) {
    throw UsageError("--per gpu must not have --tres-per-task with GPUs, because each job asks for "
                     "one GPU; write --per node to ask for GPUs yourself");
  }
  if (asks_for_whole_nodes(words)) {
    throw UsageError("--per gpu must not have --exclusive, because each job would see all GPUs of "
                     "its node; to measure one GPU after the other on a quiet node, write --per "
                     "node, and --device all after --");
  }
}

/// A job with one GPU sees it as the first of its kind, so --device must not name others.
void refuse_devices_of_others(const RunOptions& cell) {
  Words devices = cell.cell.devices;
  devices.push_back(cell.cell.device);
  for (const std::string& device : devices) {
    const std::optional<DeviceKind> kind = kind_asked(device);
    const bool is_counted = device.find(':') != std::string::npos && !device.ends_with(":0");
    if (is_gpu(kind) && is_counted) {
      throw UsageError(
          "--device must not count GPUs behind --per gpu, whose jobs see one GPU each, "
          "but is " +
          in_quotes(device) + "; leave it out, or write --per node");
    }
  }
}

/// Checks the options of run before anything is queued, as far as this machine can tell.
void check_run_options(const Words& words, JobPer per) {
  std::ostringstream text;
  const auto run = parse_run_arguments(words, text);
  if (!run) {
    throw UsageError("RUN OPTIONS must say what to measure, but ask for a text");
  }
  const RunOptions& options = run->options;
  const std::pair<const char*, bool> all_write_one[] = {
      {"--output", !options.outputs.empty()},
      {"--telemetry", !options.telemetry.empty()},
      {"--save-images", !options.cell.save_images.empty()},
      {"--dump-latents", !options.cell.dump_latents.empty()}};
  for (const auto& [name, given] : all_write_one) {
    if (given) {
      throw UsageError(
          std::string("RUN OPTIONS must not hold ") + name +
          ", because all jobs would write there; each job has its own file in --folder");
    }
  }
  if (options.dry_run) {
    throw UsageError("--dry-run must be given before --, but is given after it");
  }
  if (per == JobPer::kGpu) {
    std::ranges::for_each(run->cells, refuse_devices_of_others);
  }
}

} // namespace

std::optional<SlurmArguments> parse_slurm_arguments(const Words& arguments, std::ostream& out) {
  CLI::App app(
      "Submits the same sweep to nodes of a Slurm cluster: one job for each, and a last one "
      "that compares them.",
      "sdbench slurm submit");
  app.footer(kSubmitExamples);
  // CLI11 puts the label into brackets. Only since 2.3 does it take a usage of our own.
  app.get_formatter()->label("OPTIONS", "OPTIONS] [SBATCH OPTIONS] -- [RUN OPTIONS");
  const std::string group = "Options";
  const auto* per =
      add_text_option(app, "--per", "WHAT", "one job for each: node, type or gpu (node)", group);
  const auto* partition = add_text_option(app, "-p,--partition", "NAME",
                                          "partition of the nodes (the default one)", group);
  const auto* nodelist =
      add_text_option(app, "-w,--nodelist", "NODES", "only these nodes: node[1-4],node7", group);
  const auto* folder = add_text_option(
      app, "--folder", "FOLDER", "for rows and logs; all nodes must see it (sdbench-slurm)", group);
  const auto* dry_run =
      add_flag(app, "--dry-run", "print a shell script that would submit the jobs", group);
  const auto separator = std::ranges::find(arguments, "--");
  SlurmArguments parsed;
  if (!parse_arguments(app, {arguments.begin(), separator}, out, &parsed.sbatch_options)) {
    return std::nullopt;
  }
  if (separator == arguments.end()) {
    throw UsageError("slurm submit must have -- before the options of sdbench run, but has none; "
                     "write sdbench slurm submit -- --model sd15");
  }
  parsed.run_options = {separator + 1, arguments.end()};
  parsed.per = per->count() == 0 ? JobPer::kNode : per_named(single_value(per));
  parsed.partition = name_given(*partition);
  parsed.nodelist = name_given(*nodelist);
  parsed.folder = folder->count() == 0 ? "sdbench-slurm" : single_value(folder);
  parsed.dry_run = dry_run->count() > 0;
  refuse_words_of_no_option(parsed.sbatch_options);
  refuse_own_options(parsed.sbatch_options);
  refuse_several_lines(parsed.sbatch_options);
  refuse_short_times(parsed.sbatch_options);
  if (parsed.per == JobPer::kGpu) {
    refuse_other_gpus(parsed.sbatch_options);
  }
  parsed.exclusive =
      asks_for_whole_nodes(parsed.sbatch_options) ||
      (parsed.per != JobPer::kGpu && !say_how_nodes_are_shared(parsed.sbatch_options));
  parsed.in_turn = !is_given({"--dependency", "-d"}, parsed.sbatch_options) &&
                   !is_given({"--job-name", "-J"}, parsed.sbatch_options);
  check_run_options(parsed.run_options, parsed.per);
  return parsed;
}

std::string command_again(const SlurmArguments& asked, const Submission& submission) {
  std::vector<std::string> words = {
      submission.program.string(), "slurm", "submit", "--per", name_of(asked.per), "--folder",
      submission.folder.string()};
  if (!asked.nodelist.empty()) {
    words.push_back("--nodelist=" + asked.nodelist);
  }
  std::ranges::copy(submission.sbatch_options, std::back_inserter(words)); // with --partition
  if (!submission.other_gres.empty()) {
    words.push_back("--gres=" + submission.other_gres);
  }
  words.emplace_back("--");
  std::ranges::copy(submission.run_options, std::back_inserter(words));
  std::ranges::transform(words, words.begin(), shell_word);
  return "cd " + shell_word(submission.start_folder.string()) + " && " + joined(words, " ");
}

} // namespace sdbench
