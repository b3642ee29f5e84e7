#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sdbench {

/// GPUs of one kind in a node's or job's "generic resources" (gres).
struct GpuKind {
  std::string type; ///< "a100"; empty if the cluster defines no types
  std::int64_t count = 0;
  bool operator==(const GpuKind&) const = default;
};

/// A node as sinfo reports it.
struct SlurmNode {
  std::string name;
  std::string state;    ///< "idle", "mixed", "drained"
  std::string features; ///< "skylake,ib"
  std::vector<GpuKind> gpus;
  std::int64_t cpus = 0;
  std::int64_t memory_mb = 0; ///< as configured in the cluster; 1: not configured
};

/// The output format that we request from sinfo, see sinfo(1).
inline constexpr const char* kNodeFormat = "%N|%P|%T|%c|%m|%G|%f";

/// Parses lines in kNodeFormat and returns each node once. If `default_alone` is true, returns only
/// nodes whose partition sinfo marks as the default one (`*`). Throws Error for a malformed line.
[[nodiscard]] std::vector<SlurmNode> parse_nodes(std::string_view lines, bool default_alone);

/// The GPUs in a gres text such as "gpu:a100:4(S:0-1),gpu:2,shard:8".
[[nodiscard]] std::vector<GpuKind> gpus_of(std::string_view gres);

/// True if a job can start on the node now, or after other jobs, a power-up or a reboot. Takes into
/// account the sign that sinfo appends to the state, such as `*` for a node that does not answer.
/// `has_reservation`: true if the job may use reserved nodes.
[[nodiscard]] bool takes_jobs(const SlurmNode& node, bool has_reservation);

/// The state as sinfo prints it, with an explanation of the sign at its end: "idle* (does not
/// answer)".
[[nodiscard]] std::string state_words(const SlurmNode& node);

} // namespace sdbench
