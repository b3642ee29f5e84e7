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
  std::string state;                                 ///< "UP"
  std::optional<std::int64_t> max_time_s;            ///< nothing: no limit
  std::optional<std::int64_t> default_time_s;        ///< nothing: the limit
  std::int64_t min_nodes = 0;                        ///< fewest nodes of a job
  std::optional<std::int64_t> max_nodes;             ///< most nodes of a job; nothing: no limit
  std::optional<std::int64_t> max_cpus;              ///< of its jobs on a node; nothing: no limit
  std::optional<std::int64_t> max_memory_mb;         ///< of a job on a node; nothing: no limit
  std::optional<std::int64_t> max_memory_mb_per_cpu; ///< of a job; nothing: no limit
  bool cancels_preempted = false;                    ///< preempted jobs are cancelled, not requeued
};

/// The partitions that `asked` names ("gpu,cpu"), or the default one, from the output of `scontrol
/// --oneliner show partition`. A limit that a line lacks counts as absent.
[[nodiscard]] std::vector<SlurmPartition> parse_partitions(std::string_view lines,
                                                           std::string_view asked);

} // namespace sdbench
