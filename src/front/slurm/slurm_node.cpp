#include "sdbench/front/slurm/slurm_node.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "sdbench/base/errors/error.h"
#include "sdbench/base/numbers/number_text.h"
#include "sdbench/base/text/in_quotes.h"
#include "sdbench/base/text/listed.h"

namespace sdbench {
namespace {

using Parts = std::vector<std::string_view>;

/// True if Slurm reads it as a count: "4", and also "2K", which exceeds what we read.
bool is_count(std::string_view part) {
  const std::size_t digits = std::min(part.find_first_not_of("0123456789"), part.size());
  constexpr std::string_view kUnits = "kKmMgGtTpP";
  return digits > 0 && (digits == part.size() ||
                        (digits + 1 == part.size() && kUnits.find(part.back()) != kUnits.npos));
}

/// Reads "gpu:a100:4(S:0-1)" without the part in brackets. A missing count is 1. Nothing for other
/// resources.
std::optional<GpuKind> gpu_kind_of(std::string_view entry) {
  Parts parts = split(entry.substr(0, entry.find('(')), ':');
  std::erase(parts, "no_consume"); // "gpu:a100:no_consume:4": several jobs may share them
  if (parts.front() != "gpu" || parts.back().empty()) {
    return std::nullopt;
  }
  if (parts.size() < 3 && !is_count(parts.back())) {
    parts.push_back("1");
  }
  const auto count = parse_integer(parts.back());
  if (parts.size() > 3 || !count || *count <= 0) {
    return std::nullopt;
  }
  return GpuKind{parts.size() == 3 ? std::string(parts[1]) : std::string(), *count};
}

/// A sign that sinfo(1) appends to a state.
struct StateSign {
  char sign;
  std::string_view meaning;
  bool lets_jobs_begin; ///< once the node is awake, rebooted, or free
};

constexpr std::array<StateSign, 10> kStateSigns{{{'*', "does not answer", false},
                                                 {'$', "in maintenance", false},
                                                 {'@', "is to be rebooted", true},
                                                 {'^', "reboots", true},
                                                 {'~', "is powered off", true},
                                                 {'#', "is powered up", true},
                                                 {'%', "is powered down", true},
                                                 {'!', "is to be powered down", true},
                                                 {'+', "some jobs are completing", true},
                                                 {'-', "a job is planned there", true}}};

constexpr std::array<std::string_view, 14> kGoodStates = {
    "idle",         "mixed",         "allocated",     "completing",      "reserved",
    "planned",      "blocked",       "power_up",      "powering_up",     "power_down",
    "powered_down", "reboot_issued", "powering_down", "reboot_requested"};

/// The sign that ends the state; null without a sign.
const StateSign* sign_behind(std::string_view state) {
  const auto found = state.empty() ? kStateSigns.end()
                                   : std::ranges::find(kStateSigns, state.back(), &StateSign::sign);
  return found == kStateSigns.end() ? nullptr : &*found;
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
    const Parts fields = split(line, '|');
    if (fields.front().empty()) { // the line of a partition without nodes
      continue;
    }
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

bool takes_jobs(const SlurmNode& node, bool has_reservation) {
  std::string_view state = node.state;
  bool is_hindered = false;
  while (const StateSign* sign = sign_behind(state)) {
    is_hindered = is_hindered || !(sign->lets_jobs_begin || (sign->sign == '$' && has_reservation));
    state.remove_suffix(1);
  }
  return !is_hindered && (std::ranges::find(kGoodStates, state) != kGoodStates.end() ||
                          (state == "maint" && has_reservation));
}

std::string state_words(const SlurmNode& node) {
  const StateSign* const sign = sign_behind(node.state);
  return node.state + (sign == nullptr ? "" : " (" + std::string(sign->meaning) + ")");
}

} // namespace sdbench
