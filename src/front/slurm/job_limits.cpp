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
#include "sdbench/front/slurm/sbatch_option.h"
#include "sdbench/front/slurm/time_limit.h"

namespace sdbench {
namespace {

using Words = std::vector<std::string>;
using Partitions = std::vector<SlurmPartition>;

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

/// The most that any of the partitions gives, of which there is one at least.
template <typename LimitOf>
Limit loosest(const Partitions& partitions, LimitOf limit_of) {
  const auto most_of = [&](const SlurmPartition& one) { return limit_of(one).value_or(kNoEnd); };
  const SlurmPartition& largest = std::ranges::max(partitions, {}, most_of);
  Limit limit{most_of(largest), "partition " + largest.name};
  if (partitions.size() > 1) {
    Words names;
    std::ranges::transform(partitions, std::back_inserter(names), &SlurmPartition::name);
    limit.whose += " (which gives the most of " + listed(names, "and") + ")";
  }
  return limit;
}

void refuse_too_much_time(const Words& words, const Partitions& partitions) {
  const Limit limit = loosest(partitions, [](const auto& one) { return one.max_time_s; });
  const auto asked = time_asked(words);
  const auto seconds = asked ? seconds_of(asked->text) : std::nullopt;
  if (seconds && *seconds > limit.most) {
    throw Error(asked->name + " must be at most the " + time_limit_text(limit.most) + " of " +
                limit.whose + ", but is " + in_quotes(asked->text) +
                ", and such a job would wait forever; give less, another --partition, or the "
                "--qos that allows it");
  }
  const Limit usual = loosest(partitions, [](const auto& one) {
    return one.default_time_s ? one.default_time_s : one.max_time_s;
  });
  if (!asked && usual.most <= kEndNoticeS) {
    throw Error("--time must be given, for " + usual.whose + " else ends a job after " +
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
    throw Error("a job of one node must be let in, but " + listed(limits, "and") +
                " (MinNodes); name another --partition");
  }
}

void refuse_more_than(const Limit& limit, std::optional<std::int64_t> asked, const Asked& option,
                      const std::string& unit) {
  if (asked && *asked > limit.most) {
    throw Error(option.name + " must be at most the " + std::to_string(limit.most) + unit + " of " +
                limit.whose + ", but is " + in_quotes(option.text) +
                "; give less, or leave it out");
  }
}

std::optional<Asked> cpus_asked(const Words& words) {
  if (const auto cpus = value_given({"--cpus-per-task", "-c"}, words)) {
    return Asked{"--cpus-per-task", *cpus};
  }
  const auto cpus = cpus_of_tres_per_task(words);
  return cpus ? std::optional(Asked{"--tres-per-task=cpu", *cpus}) : std::nullopt;
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
  const auto cpus = cpus_asked(sbatch_options);
  if (memory && !partitions.empty()) {
    refuse_more_than(loosest(partitions, [](const auto& one) { return one.max_memory_mb; }),
                     memory_mb_of(*memory), {"--mem", *memory}, "M");
  }
  for (const JobPlace& place : places) {
    if (memory && place.node_memory_mb > 1) { // 1: the cluster was not told
      refuse_more_than({place.node_memory_mb, place.name}, memory_mb_of(*memory),
                       {"--mem", *memory}, "M");
    }
    if (cpus && place.node_cpus > 0) {
      refuse_more_than({place.node_cpus, place.name}, parse_integer(cpus->text), *cpus,
                       " processors");
    }
  }
}

} // namespace sdbench
