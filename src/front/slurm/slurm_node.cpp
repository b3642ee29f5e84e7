#include "sdbench/front/slurm/slurm_node.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "sdbench/base/core/error.h"
#include "sdbench/base/core/in_quotes.h"
#include "sdbench/base/core/listed.h"
#include "sdbench/base/core/number_text.h"

namespace sdbench {
namespace {

using Parts = std::vector<std::string_view>;

/// "gpu:a100:4(S:0-1)", without what stands in brackets; nothing for another resource.
std::optional<GpuKind> gpu_kind_of(std::string_view entry) {
  const Parts parts = split(entry.substr(0, entry.find('(')), ':');
  if (parts.size() < 2 || parts.size() > 3 || parts.front() != "gpu") {
    return std::nullopt;
  }
  const auto count = parse_integer(parts.back());
  if (!count || *count <= 0) {
    return std::nullopt;
  }
  return GpuKind{parts.size() == 3 ? std::string(parts[1]) : std::string(), *count};
}

} // namespace

std::vector<GpuKind> gpus_of(std::string_view gres) {
  std::vector<GpuKind> gpus;
  int depth = 0; // commas in brackets separate sockets
  std::size_t start = 0;
  for (std::size_t at = 0; at <= gres.size(); ++at) {
    const char letter = at == gres.size() ? ',' : gres[at];
    depth += letter == '(' ? 1 : letter == ')' ? -1 : 0;
    if (letter == ',' && (depth <= 0 || at == gres.size())) {
      if (auto kind = gpu_kind_of(gres.substr(start, at - start))) {
        gpus.push_back(std::move(*kind));
      }
      start = at + 1;
    }
  }
  return gpus;
}

std::vector<SlurmNode> parse_nodes(std::string_view lines, bool default_alone) {
  constexpr std::size_t kFields = 7;
  std::vector<SlurmNode> nodes;
  for (const std::string_view line : split(lines, '\n')) {
    if (line.empty()) {
      continue;
    }
    const Parts fields = split(line, '|');
    const bool is_whole = fields.size() == kFields;
    const auto cpus = is_whole ? parse_integer(fields[3]) : std::nullopt;
    const auto memory_mb = is_whole ? parse_integer(fields[4]) : std::nullopt;
    if (!cpus || !memory_mb) {
      throw Error("sinfo must print seven fields of each node, but prints " + in_quotes(line));
    }
    if (default_alone && !fields[1].ends_with('*')) {
      continue;
    }
    SlurmNode node{std::string(fields[0]),
                   std::string(fields[2]),
                   std::string(fields[6]),
                   gpus_of(fields[5]),
                   *cpus,
                   *memory_mb};
    if (node.features == "(null)") {
      node.features.clear();
    }
    if (std::ranges::find(nodes, node.name, &SlurmNode::name) == nodes.end()) {
      nodes.push_back(std::move(node));
    }
  }
  return nodes;
}

bool takes_jobs(const SlurmNode& node) {
  constexpr std::array<std::string_view, 7> kGood = {
      "idle", "mixed", "allocated", "completing", "reserved", "planned", "power_up"};
  // Powered down, and woken by a job; with jobs that are completing (+) or planned (-).
  constexpr std::string_view kNoHindrance = "~#%!+-";
  std::string_view state = node.state;
  while (!state.empty() && kNoHindrance.find(state.back()) != std::string_view::npos) {
    state.remove_suffix(1);
  }
  return std::ranges::find(kGood, state) != kGood.end();
}

} // namespace sdbench
