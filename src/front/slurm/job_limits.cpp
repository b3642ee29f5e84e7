#include "sdbench/front/slurm/job_limits.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <optional>
#include <string_view>

#include "sdbench/base/core/error.h"
#include "sdbench/base/core/in_quotes.h"
#include "sdbench/base/core/listed.h"
#include "sdbench/base/core/number_text.h"
#include "sdbench/base/core/units.h"
#include "sdbench/front/slurm/sbatch_option.h"
#include "sdbench/front/slurm/time_limit.h"

namespace sdbench {
namespace {

using Words = std::vector<std::string>;
using Partitions = std::vector<SlurmPartition>;

constexpr const char* kMegabyte = "M";
constexpr const char* kProcessor = "processor";
constexpr const char* kGpu = "GPU";
constexpr SbatchOption kCpusPerGpu{"--cpus-per-gpu", ""};
constexpr std::int64_t kNoEnd = std::numeric_limits<std::int64_t>::max();

/// A limit, and whose it is.
struct Limit {
  std::int64_t most = 0;
  std::string whose; ///< "partition gpu", "partition gpu (which gives the most of gpu and cpu)"
};

/// An option of sbatch's by its name or the variable that stands for it.
struct Asked {
  std::string name;
  std::string text;
  std::string each{}; ///< " for each of 4 GPUs"; empty: the text is all
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
  Words names;
  std::ranges::transform(partitions, std::back_inserter(names), &SlurmPartition::name);
  return listed(names, last);
}

/// The most that any of the partitions gives, of which there is one at least.
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
    throw UsageError("--time must be given, for " + usual.whose + " else ends a job after " +
                     time_limit_text(usual.most) + "; write more than " +
                     std::to_string(kEndNoticeS / 60) + " minutes, such as --time 1:00:00");
  }
}

/// A job has one node.
void refuse_several_nodes(const Partitions& partitions) {
  if (std::ranges::all_of(partitions, [](const auto& one) { return one.min_nodes > 1; })) {
    Words limits;
    std::ranges::transform(partitions, std::back_inserter(limits), [](const auto& one) {
      return "partition " + one.name + " takes jobs of " + std::to_string(one.min_nodes) +
             " nodes or more";
    });
    throw UsageError("a job of one node must be let in, but " + listed(limits, "and") +
                     " (MinNodes); name another --partition");
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

/// The same of what is asked for `count` times.
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

/// How many GPUs the place has that an option for this type counts. The cluster may know the type
/// by another name: then all of them.
std::int64_t gpus_of_type(const JobPlace& place, const std::string& type) {
  std::int64_t all = 0;
  std::int64_t of_type = 0;
  for (const GpuKind& kind : gpus_of(place.gres)) {
    all += kind.count;
    of_type += kind.type == type ? kind.count : 0;
  }
  return type.empty() || of_type == 0 ? all : of_type;
}

/// How many GPUs a job has at least. Of several kinds the largest counts, for whether Slurm adds
/// them is its own matter.
std::int64_t fewest_gpus(const Words& words, const JobPlace& place) {
  std::int64_t gpus = 0;
  if (!count_gpus(words)) {
    for (const GpuKind& kind : gpus_of(place.gres)) {
      gpus = std::max(gpus, kind.count);
    }
  }
  for (const GpusAsked& asked : gpus_asked(words)) {
    gpus = std::max(gpus, asked.kind.count);
  }
  return gpus;
}

/// How many processors a job has at least. More than the node has were refused before.
std::int64_t fewest_cpus(const Words& words, const JobPlace& place) {
  std::optional<std::int64_t> cpus = place.cpus;
  if (const auto of_task = cpus_asked(words)) {
    cpus = parse_integer(of_task->text);
  } else if (const auto of_gpu = value_given(kCpusPerGpu, words)) {
    cpus = times(std::max<std::int64_t>(0, parse_integer(*of_gpu).value_or(0)),
                 fewest_gpus(words, place));
  }
  return std::max<std::int64_t>(1, cpus.value_or(1));
}

void refuse_too_many_gpus(const Words& words, const JobPlace& place, const std::string& whose) {
  for (const GpusAsked& asked : gpus_asked(words)) {
    const std::int64_t most = gpus_of_type(place, asked.kind.type);
    refuse_more_than({most, whose}, asked.kind.count, {asked.option, asked.text}, kGpu);
  }
}

void refuse_too_many_cpus(const Words& words, const JobPlace& place, const std::string& whose) {
  const Limit limit{place.node_cpus, whose};
  if (const auto cpus = cpus_asked(words)) {
    refuse_more_than(limit, parse_integer(cpus->text), *cpus, kProcessor);
  }
  if (const auto cpus = value_given(kCpusPerGpu, words)) {
    refuse_more_than_each(limit, parse_integer(*cpus), fewest_gpus(words, place),
                          {std::string(kCpusPerGpu.name), *cpus}, kProcessor, kGpu);
  }
}

void refuse_too_much_memory(const Words& words, const JobPlace& place, const std::string& whose) {
  const Limit limit{place.node_memory_mb, whose};
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

} // namespace

void refuse_what_no_job_can_meet(const Words& sbatch_options, const std::vector<JobPlace>& places,
                                 const Partitions& partitions) {
  const bool has_qos =
      is_given({"--qos", "-q"}, sbatch_options) || std::getenv("SBATCH_QOS") != nullptr;
  if (!partitions.empty() && !has_qos) { // which may allow more than the partition does
    refuse_too_much_time(sbatch_options, partitions);
    refuse_several_nodes(partitions);
  }
  const auto memory = value_given({"--mem", ""}, sbatch_options);
  if (memory && !partitions.empty()) {
    refuse_more_than(loosest(partitions, [](const auto& one) { return one.max_memory_mb; }),
                     memory_mb_of(*memory), {"--mem", *memory}, kMegabyte);
  }
  const std::string there = partitions.empty() ? "" : " of partition " + names_of(partitions, "or");
  for (const JobPlace& place : places) {
    const std::string whose = place.name + there;
    refuse_too_many_gpus(sbatch_options, place, whose);
    if (place.node_cpus > 0) {
      refuse_too_many_cpus(sbatch_options, place, whose);
    }
    if (place.node_memory_mb > 1) { // 1: the cluster was not told
      refuse_too_much_memory(sbatch_options, place, whose);
    }
  }
}

} // namespace sdbench
