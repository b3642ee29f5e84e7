#include "slurm_arguments.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <sstream>
#include <string_view>
#include <utility>

#include "sdbench/base/core/error.h"
#include "sdbench/base/core/in_quotes.h"
#include "sdbench/base/core/suggestion.h"
#include "sdbench/front/cli/arguments.h"
#include "sdbench/front/cli/run_arguments.h"

namespace sdbench {
namespace {

using Words = std::vector<std::string>;

constexpr const char* kSubmitExamples =
    "All other options before -- are sbatch's (--time, --account, --gres ...), those behind it are "
    "of\n"
    "sdbench run. Each job goes on where it was ended, whatever ended it. A last job joins all "
    "rows.\n"
    "Examples:\n"
    "  sdbench slurm submit --time 2:00:00 -- --model sd15 --dtype fp16,bf16\n"
    "  sdbench slurm submit --per type -p gpu --dry-run -- --preset lake-house > submit.sh\n"
    "  sdbench slurm submit --nodelist node[1-4] --account lab -- --batch 1,2,4,8";

constexpr std::array<std::pair<std::string_view, JobPer>, 3> kPers{std::pair{"node", JobPer::kNode},
                                                                   std::pair{"type", JobPer::kType},
                                                                   std::pair{"gpu", JobPer::kGpu}};

JobPer per_named(const std::string& name) {
  const auto found = std::ranges::find(kPers, name, &std::pair<std::string_view, JobPer>::first);
  if (found == kPers.end()) {
    Words names;
    std::ranges::transform(kPers, std::back_inserter(names),
                           [](const auto& known) { return std::string(known.first); });
    throw UsageError("--per must be node, type or gpu, but is " + in_quotes(name) +
                     did_you_mean(name, names));
  }
  return found->second;
}

/// Of an option that may be given once; empty: it is not.
std::string only_value(const CLI::Option& option) {
  if (option.count() > 1) {
    throw UsageError(option.get_name() + " must be given once, but is given " +
                     std::to_string(option.count()) + " times");
  }
  return option.count() == 0 ? "" : option.results().front();
}

/// An option of sbatch's by its names.
struct SbatchOption {
  std::string_view name;
  std::string_view letter; ///< "-N"; empty: it has none
};

bool is_given(const SbatchOption& option, const Words& words) {
  return std::ranges::any_of(words, [&](const std::string& word) {
    return word == option.name || word.starts_with(std::string(option.name) + "=") ||
           (!option.letter.empty() && word.starts_with(option.letter));
  });
}

/// What sdbench itself decides.
void refuse_own_options(const Words& words) {
  constexpr std::array<std::pair<SbatchOption, const char*>, 9> kOwn{
      std::pair{SbatchOption{"--nodes", "-N"}, "a job has one node; leave it out"},
      std::pair{SbatchOption{"--array", "-a"}, "--per says how many jobs there are; leave it out"},
      std::pair{SbatchOption{"--exclude", "-x"}, "--nodelist says where jobs may be; leave it out"},
      std::pair{SbatchOption{"--wrap", ""}, "the script is sdbench's; leave it out"},
      std::pair{SbatchOption{"--signal", ""},
                "a job hears of its end two minutes before; leave it out"},
      std::pair{SbatchOption{"--wait", "-W"}, "nothing waits for the jobs; see squeue"},
      std::pair{SbatchOption{"--test-only", ""}, "--dry-run prints what would be submitted"},
      std::pair{SbatchOption{"--clusters", "-M"}, "submit on a machine of that cluster"},
      std::pair{SbatchOption{"--nodefile", "-F"}, "--nodelist names nodes"}};
  if (!words.empty() && !words.front().starts_with('-')) {
    throw UsageError("SBATCH OPTIONS must be options, but there is " + in_quotes(words.front()) +
                     "; the options of sdbench run stand behind --");
  }
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

/// Before anything is queued, as far as this machine can tell.
void check_run_options(const Words& words) {
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
      throw UsageError(std::string("RUN OPTIONS must not hold ") + name +
                       ", for all jobs would write there; their rows go to files of their own in "
                       "--folder");
    }
  }
  if (options.dry_run) {
    throw UsageError("--dry-run must stand before --, but stands behind it");
  }
}

} // namespace

std::optional<SlurmArguments> parse_slurm_arguments(const Words& arguments, std::ostream& out) {
  CLI::App app("Submits the same sweep to nodes of a Slurm cluster, a job each, and one that "
               "compares them.",
               "sdbench slurm submit");
  app.footer(kSubmitExamples);
  const std::string group = "Options";
  const auto* per =
      add_text_option(app, "--per", "WHAT", "a job for each node, type or gpu (node)", group);
  const auto* partition =
      add_text_option(app, "-p,--partition", "NAME", "its nodes (the default one's)", group);
  const auto* nodelist =
      add_text_option(app, "-w,--nodelist", "NODES", "these alone: node[1-4],node7", group);
  const auto* folder = add_text_option(
      app, "--folder", "FOLDER", "of rows and logs, seen by all nodes (sdbench-slurm)", group);
  const auto* dry_run = add_flag(
      app, "--dry-run", "print what would be submitted, as a shell script that does it", group);
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
  parsed.per = per->count() == 0 ? JobPer::kNode : per_named(only_value(*per));
  parsed.partition = only_value(*partition);
  parsed.nodelist = only_value(*nodelist);
  parsed.folder = folder->count() == 0 ? "sdbench-slurm" : only_value(*folder);
  parsed.dry_run = dry_run->count() > 0;
  refuse_own_options(parsed.sbatch_options);
  const bool asks_for_it = std::ranges::count(parsed.sbatch_options, "--exclusive") > 0;
  parsed.exclusive = asks_for_it || (parsed.per != JobPer::kGpu &&
                                     !say_how_nodes_are_shared(parsed.sbatch_options));
  check_run_options(parsed.run_options);
  return parsed;
}

} // namespace sdbench
