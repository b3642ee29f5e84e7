#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sdbench {

/// GPUs of one kind in Slurm's "generic resources".
struct GpuKind {
  std::string type; ///< "a100"; empty if the cluster names no type
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

/// The output format for sinfo, see sinfo(1).
inline constexpr const char* kNodeFormat = "%N|%P|%T|%c|%m|%G|%f";

/// The nodes of such lines, each once: only those of the default partition, which sinfo marks, or
/// those of all requested partitions. Throws Error for a malformed line.
[[nodiscard]] std::vector<SlurmNode> parse_nodes(std::string_view lines, bool default_alone);

/// The GPUs of a gres text: "gpu:a100:4(S:0-1),gpu:2,shard:8".
[[nodiscard]] std::vector<GpuKind> gpus_of(std::string_view gres);

/// True if the node's state lets a job begin there, now or after other jobs, a wake-up or a reboot.
/// Respects the sign that sinfo appends to the state (`*`: it does not answer). `has_reservation`:
/// the job has a reservation, so it may use reserved nodes.
[[nodiscard]] bool takes_jobs(const SlurmNode& node, bool has_reservation);

/// The state as sinfo prints it, with the meaning of its last sign: "idle* (does not answer)".
[[nodiscard]] std::string state_words(const SlurmNode& node);

} // namespace sdbench
