#include "sdbench/front/slurm/job_limits.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <optional>
#include <set>

#include <strings.h>

#include "sdbench/base/errors/error.h"
#include "sdbench/base/numbers/number_text.h"
#include "sdbench/base/numbers/units.h"
#include "sdbench/base/text/in_quotes.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/front/slurm/sbatch_option.h"
#include "sdbench/front/slurm/slurm_node.h"
#include "sdbench/front/slurm/time_limit.h"

namespace sdbench {
namespace {

using Words = std::vector<std::string>;
using Partitions = std::vector<SlurmPartition>;

constexpr const char* kMegabyte = "M";
constexpr const char* kProcessor = "processor";
constexpr const char* kGpu = "GPU";
constexpr const char* kTask = "task";
constexpr SbatchOption kCpusPerGpu{"--cpus-per-gpu", ""};
constexpr SbatchOption kTasks{"--ntasks", "-n"};
constexpr SbatchOption kLeastCpus{"--mincpus", ""};
constexpr std::int64_t kNoEnd = std::numeric_limits<std::int64_t>::max();

/// An upper limit and what sets it.
struct Limit {
  std::int64_t most = 0;
  std::string whose; ///< "partition gpu", "partition gpu (which gives the most of gpu and cpu)"
};

/// A value that was asked for, by an option of sbatch or by the variable that stands for it.
struct Asked {
  std::string name;
  std::string text;
  std::string each{}; ///< " for each of 4 GPUs"; empty if the text is the whole amount
};

std::optional<Asked> time_asked(const Words& words) {
  // A job may begin with as little as --time-min.
  for (const SbatchOption& option :
       {SbatchOption{"--time-min", ""}, SbatchOption{"--time", "-t"}}) {
    if (const auto text = value_given(option, words)) {
      return Asked{std::string(option.name), *text};
    }
  }
  const char* const usual = std::getenv("SBATCH_TIMELIMIT");
  return usual == nullptr ? std::nullopt : std::optional(Asked{"SBATCH_TIMELIMIT", usual});
}

std::optional<std::int64_t> seconds_of(const std::string& text) {
  const bool has_none = text == "0" || text == "UNLIMITED" || text == "INFINITE" ||
                        text == "unlimited" || text == "infinite";
  return has_none ? std::optional(kNoEnd) : time_limit_s(text);
}

std::string names_of(const Partitions& partitions, const char* last) {
  return listed(mapped(partitions, &SlurmPartition::name), last);
}

/// The largest of the partitions' limits. Needs at least one partition.
template <typename LimitOf>
Limit loosest(const Partitions& partitions, LimitOf limit_of) {
  const auto most_of = [&](const SlurmPartition& one) { return limit_of(one).value_or(kNoEnd); };
  const SlurmPartition& largest = std::ranges::max(partitions, {}, most_of);
  Limit limit{most_of(largest), "partition " + largest.name};
  if (partitions.size() > 1) {
    limit.whose += " (which gives the most of " + names_of(partitions, "and") + ")";
  }
  return limit;
}

void refuse_too_much_time(const Words& words, const Partitions& partitions) {
  const Limit limit = loosest(partitions, [](const auto& one) { return one.max_time_s; });
  const auto asked = time_asked(words);
  const auto seconds = asked ? seconds_of(asked->text) : std::nullopt;
  if (seconds && *seconds > limit.most) {
    throw UsageError(asked->name + " must be at most the " + time_limit_text(limit.most) + " of " +
                     limit.whose + ", but is " + in_quotes(asked->text) +
                     ", and such a job would wait forever; give less, another --partition, or the "
                     "--qos that allows it");
  }
  const Limit usual = loosest(partitions, [](const auto& one) {
    return one.default_time_s ? one.default_time_s : one.max_time_s;
  });
  if (!asked && usual.most <= kEndNoticeS) {
    throw UsageError("--time must be given, because " + usual.whose +
                     " otherwise ends a job after " + time_limit_text(usual.most) +
                     "; write more than " + std::to_string(kEndNoticeS / 60) +
                     " minutes, such as --time 1:00:00");
  }
}

/// Why the partition takes no job of one node; empty if it takes such jobs.
std::string node_limit_words(const SlurmPartition& partition) {
  const std::string takes = "partition " + partition.name + " takes ";
  return partition.min_nodes > 1 ? takes + "jobs of " + std::to_string(partition.min_nodes) +
                                       " nodes or more (MinNodes)"
         : partition.max_nodes == 0 ? takes + "none (MaxNodes=0)"
                                    : "";
}

/// Each of our jobs has one node, so one of the partitions must take such jobs.
void refuse_several_nodes(const Partitions& partitions) {
  const Words limits = mapped(partitions, node_limit_words);
  if (std::ranges::find(limits, "") == limits.end()) {
    throw UsageError("a partition must take jobs of one node, but " + listed(limits, "and") +
                     "; name another --partition");
  }
}

/// The product, at most kNoEnd. Neither is negative.
std::int64_t times(std::int64_t amount, std::int64_t count) {
  return count > 0 && amount > kNoEnd / count ? kNoEnd : amount * count;
}

/// "64000M", "1 GPU", "8 processors"
std::string amount_text(std::int64_t amount, const std::string& unit) {
  return unit == kMegabyte ? std::to_string(amount) + unit : counted(amount, unit);
}

void refuse_more_than(const Limit& limit, std::optional<std::int64_t> asked, const Asked& option,
                      const std::string& unit) {
  if (asked && *asked > limit.most) {
    throw UsageError(option.name + (option.each.empty() ? " must be" : " must come to") +
                     " at most the " + amount_text(limit.most, unit) + " of " + limit.whose +
                     ", but is " + in_quotes(option.text) + option.each +
                     "; give less, or leave it out");
  }
}

/// The same for an amount that is asked for `count` times.
void refuse_more_than_each(const Limit& limit, std::optional<std::int64_t> asked,
                           std::int64_t count, Asked option, const std::string& unit,
                           const std::string& of_what) {
  if (!asked || *asked < 0) {
    return;
  }
  if (count > 1) {
    option.each = " for each of " + counted(count, of_what);
  }
  refuse_more_than(limit, times(*asked, count), option, unit);
}

std::optional<Asked> cpus_asked(const Words& words) {
  if (const auto cpus = value_given({"--cpus-per-task", "-c"}, words)) {
    return Asked{"--cpus-per-task", *cpus};
  }
  const auto cpus = cpus_of_tres_per_task(words);
  return cpus ? std::optional(Asked{"--tres-per-task=cpu", *cpus}) : std::nullopt;
}

/// An amount as sbatch reads it; 0 if it is missing or malformed.
std::int64_t amount_of(const std::optional<std::string>& text) {
  return std::max<std::int64_t>(0, parse_integer(text.value_or("")).value_or(0));
}

std::int64_t task_count(const Words& words) {
  return std::max<std::int64_t>(1, amount_of(value_given(kTasks, words)));
}

/// Tasks that have processors of their own.
std::int64_t computing_tasks(const Words& words) {
  return is_given({"--overcommit", "-O"}, words) ? 1 : task_count(words);
}

/// How often a job gets what an option asks for: once, or for each task.
std::int64_t times_asked(const GpusAsked& asked, const Words& words) {
  return asked.option.ends_with("-per-task") ? task_count(words) : 1;
}

/// True if an option for this type may count GPUs of that kind. A kind without a type may be of any
/// type.
bool may_be_of_type(const GpuKind& kind, const std::string& type) {
  return type.empty() || kind.type.empty() || ::strcasecmp(kind.type.c_str(), type.c_str()) == 0;
}

/// GPUs of the place that an option for this type counts.
std::int64_t gpus_of_type(const JobPlace& place, const std::string& type) {
  std::int64_t count = 0;
  for (const GpuKind& kind : gpus_of(place.gres)) {
    count += may_be_of_type(kind, type) ? kind.count : 0;
  }
  return count;
}

/// The fewest GPUs that a job may get. If the place has several kinds, only the largest count is
/// used, because it is up to Slurm whether to add them.
std::int64_t fewest_gpus(const Words& words, const JobPlace& place) {
  std::int64_t gpus = 0;
  if (!count_gpus(words)) {
    for (const GpuKind& kind : gpus_of(place.gres)) {
      gpus = std::max(gpus, kind.count);
    }
  }
  for (const GpusAsked& asked : gpus_asked(words)) {
    gpus = std::max(gpus, times(asked.kind.count, times_asked(asked, words)));
  }
  return gpus;
}

/// The fewest processors that a job may get. More than the node has were refused before.
std::int64_t fewest_cpus(const Words& words, const JobPlace& place) {
  std::int64_t cpus = times(place.cpus, computing_tasks(words));
  if (const auto of_task = cpus_asked(words)) {
    cpus = times(amount_of(of_task->text), computing_tasks(words));
  } else if (const auto of_gpu = value_given(kCpusPerGpu, words)) {
    cpus = times(amount_of(of_gpu), fewest_gpus(words, place));
  }
  return std::max({cpus, computing_tasks(words), amount_of(value_given(kLeastCpus, words))});
}

void refuse_gpus(const Words& words, const JobPlace& place, const std::string& whose) {
  for (const GpusAsked& asked : gpus_asked(words)) {
    const std::int64_t most = gpus_of_type(place, asked.kind.type);
    if (most == 0 && !place.gres.empty()) {
      std::set<std::string> types;
      for (const GpuKind& kind : gpus_of(place.gres)) {
        types.insert(kind.type);
      }
      throw UsageError(asked.option + " must ask for GPUs that " + whose + " has (" +
                       listed(Words(types.begin(), types.end()), "and") + "), but is " +
                       in_quotes(asked.text) + "; name these, or leave it out");
    }
    refuse_more_than_each({most, whose}, asked.kind.count, times_asked(asked, words),
                          {asked.option, asked.text}, kGpu, kTask);
  }
}

void refuse_too_many_cpus(const Words& words, const JobPlace& place, const Limit& limit) {
  const std::int64_t tasks = computing_tasks(words);
  const auto of_gpu = value_given(kCpusPerGpu, words);
  if (of_gpu) {
    refuse_more_than_each(limit, amount_of(of_gpu), fewest_gpus(words, place),
                          {std::string(kCpusPerGpu.name), *of_gpu}, kProcessor, kGpu);
  }
  if (const auto cpus = cpus_asked(words)) {
    refuse_more_than_each(limit, amount_of(cpus->text), tasks, *cpus, kProcessor, kTask);
  } else if (const auto count = value_given(kTasks, words)) {
    const std::int64_t each = of_gpu ? 1 : std::max<std::int64_t>(1, place.cpus);
    Asked asked{std::string(kTasks.name), *count};
    if (each > 1) {
      asked.each = " of " + counted(each, kProcessor);
    }
    refuse_more_than(limit, times(tasks, each), asked, kProcessor);
  }
  if (const auto least = value_given(kLeastCpus, words)) {
    refuse_more_than(limit, amount_of(least), {std::string(kLeastCpus.name), *least}, kProcessor);
  }
}

void refuse_too_much_memory(const Words& words, const JobPlace& place, const Limit& limit) {
  const auto refuse = [&](const char* name, std::int64_t count, const char* of_what) {
    if (const auto memory = value_given({name, ""}, words)) {
      refuse_more_than_each(limit, memory_mb_of(*memory), count, {name, *memory}, kMegabyte,
                            of_what);
    }
  };
  refuse("--mem", 1, "");
  refuse("--mem-per-cpu", fewest_cpus(words, place), kProcessor);
  refuse("--mem-per-gpu", fewest_gpus(words, place), kGpu);
}

/// The most memory of a job on a node with this many processors (0: unknown). Slurm gives a job
/// more processors if it asks for more memory than one processor may have.
std::optional<std::int64_t> most_memory_mb(const SlurmPartition& partition,
                                           std::int64_t node_cpus) {
  std::optional<std::int64_t> most = partition.max_memory_mb;
  if (partition.max_memory_mb_per_cpu && node_cpus > 0) {
    const std::int64_t cpus = std::min(node_cpus, partition.max_cpus.value_or(node_cpus));
    most = std::min(most.value_or(kNoEnd), times(*partition.max_memory_mb_per_cpu, cpus));
  }
  return most;
}

void refuse_what_no_place_has(const Words& words, const JobPlace& place,
                              const Partitions& partitions) {
  const std::string there = partitions.empty() ? "" : " of partition " + names_of(partitions, "or");
  const std::string whose = place.name + there;
  refuse_gpus(words, place, whose);
  if (place.node_cpus > 0) {
    refuse_too_many_cpus(words, place, {place.node_cpus, whose});
  }
  if (place.node_memory_mb > 1) { // 1: Slurm's default if nobody configured it
    refuse_too_much_memory(words, place, {place.node_memory_mb, whose});
  }
}

/// Refuses more of a node than the partitions give, which may be less than it has.
void refuse_what_no_partition_gives(const Words& words, const JobPlace& place,
                                    const Partitions& partitions) {
  refuse_too_many_cpus(words, place,
                       loosest(partitions, [](const auto& one) { return one.max_cpus; }));
  refuse_too_much_memory(words, place, loosest(partitions, [&](const auto& one) {
                           return most_memory_mb(one, place.node_cpus);
                         }));
}

} // namespace

void refuse_what_no_job_can_meet(const Words& sbatch_options, const std::vector<JobPlace>& places,
                                 const Partitions& partitions) {
  const bool has_qos =
      is_given({"--qos", "-q"}, sbatch_options) || std::getenv("SBATCH_QOS") != nullptr;
  if (!partitions.empty() && !has_qos) { // a QOS may allow more than the partition
    refuse_too_much_time(sbatch_options, partitions);
    refuse_several_nodes(partitions);
  }
  for (const JobPlace& place : places) {
    if (!partitions.empty()) {
      refuse_what_no_partition_gives(sbatch_options, place, partitions);
    }
    refuse_what_no_place_has(sbatch_options, place, partitions);
  }
}

} // namespace sdbench
