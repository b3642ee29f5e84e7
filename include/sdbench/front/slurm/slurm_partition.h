#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sdbench {

/// A partition as scontrol reports it.
struct SlurmPartition {
  std::string name;
  bool is_default = false;
  std::string state;                          ///< "UP"
  std::optional<std::int64_t> max_time_s;     ///< nullopt: no limit
  std::optional<std::int64_t> default_time_s; ///< nullopt: same as max_time_s
  std::int64_t min_nodes = 0;                 ///< least number of nodes of a job
  std::optional<std::int64_t> max_nodes; ///< greatest number of nodes of a job; nullopt: no limit
  std::optional<std::int64_t> max_cpus;  ///< for all jobs on one node together; nullopt: no limit
  std::optional<std::int64_t> max_memory_mb;         ///< per job and node; nullopt: no limit
  std::optional<std::int64_t> max_memory_mb_per_cpu; ///< per processor of a job; nullopt: no limit
  bool cancels_preempted = false; ///< true: preempted jobs are cancelled instead of requeued
};

/// Parses the output of `scontrol --oneliner show partition`. Returns the partitions that `asked`
/// names ("gpu,cpu"); an empty `asked` means the default one. A limit that is missing in a line
/// counts as no limit.
[[nodiscard]] std::vector<SlurmPartition> parse_partitions(std::string_view lines,
                                                           std::string_view asked);

} // namespace sdbench
