#include "sdbench/front/slurm/slurm_partition.h"

#include <algorithm>
#include <utility>

#include "sdbench/base/numbers/number_text.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/front/slurm/time_limit.h"

namespace sdbench {
namespace {

/// The value of " KEY=" in a line; empty if missing.
std::string_view value_in(std::string_view line, std::string_view key) {
  for (const std::string_view word : split(line, ' ')) {
    if (word.size() > key.size() && word.starts_with(key) && word[key.size()] == '=') {
      return word.substr(key.size() + 1);
    }
  }
  return {};
}

/// The limit as a positive number; nothing without a limit, which Slurm may print as 0.
std::optional<std::int64_t> limit_in(std::string_view line, std::string_view key) {
  const auto limit = parse_integer(value_in(line, key));
  return limit && *limit > 0 ? limit : std::nullopt;
}

SlurmPartition partition_of(std::string_view line) {
  SlurmPartition partition;
  partition.name = value_in(line, "PartitionName");
  partition.is_default = value_in(line, "Default") == "YES";
  partition.state = value_in(line, "State");
  partition.max_time_s = time_limit_s(value_in(line, "MaxTime"));
  partition.default_time_s = time_limit_s(value_in(line, "DefaultTime"));
  partition.min_nodes = parse_integer(value_in(line, "MinNodes")).value_or(0);
  partition.max_nodes = parse_integer(value_in(line, "MaxNodes"));
  partition.max_cpus = limit_in(line, "MaxCPUsPerNode");
  partition.max_memory_mb = limit_in(line, "MaxMemPerNode");
  partition.max_memory_mb_per_cpu = limit_in(line, "MaxMemPerCPU");
  partition.cancels_preempted =
      value_in(line, "PreemptMode").find("CANCEL") != std::string_view::npos;
  return partition;
}

} // namespace

std::vector<SlurmPartition> parse_partitions(std::string_view lines, std::string_view asked) {
  const auto names = split(asked, ',');
  std::vector<SlurmPartition> partitions;
  for (const std::string_view line : split(lines, '\n')) {
    SlurmPartition partition = partition_of(line);
    const bool is_asked = asked.empty() ? partition.is_default
                                        : std::ranges::find(names, partition.name) != names.end();
    if (!partition.name.empty() && is_asked) {
      partitions.push_back(std::move(partition));
    }
  }
  return partitions;
}

} // namespace sdbench
