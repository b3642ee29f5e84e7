#include "sdbench/front/bench/sweep.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <numeric>
#include <set>
#include <span>
#include <utility>

#include "sdbench/base/config/engine_axis_table.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/plan/parallel_cells.h"
#include "sdbench/base/plan/resolve_model.h"
#include "sdbench/base/text/in_quotes.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/base/types/precision.h"
#include "sdbench/base/weights/locate.h"

namespace sdbench {
namespace {

/// Cells with the same key share a worker process. cuDNN keeps its plan for a shape, whether or not
/// it was chosen by trial, so cells that differ in cudnn_benchmark must not share a process.
std::string worker_key(const SweepCell& swept) {
  const Cell& cell = swept.planned.cell;
  const WeightsLocation& weights = cell.weights;
  std::string devices = swept.team.empty() ? cell.device : "";
  for (const std::string& device : swept.team) { // each device also runs a cell alone
    devices += device + '+';
  }
  return devices + '\n' + cell.model.name + '\n' + weights.path.string() + '\n' +
         (weights.kind == WeightsLocation::Kind::kSynthetic ? std::to_string(weights.seed) : "") +
         (cell.cudnn_benchmark == "on" ? "\ncudnn benchmark" : "");
}

/// Cells with the same key share a loaded model within a worker. Affects only the order: the worker
/// itself decides what to load again.
std::string load_key(const Cell& cell) {
  std::string key(cell.dtype ? name_of(*cell.dtype) : "auto");
  for (const EngineAxis& axis : engine_axes()) {
    key += '\n' + cell.*axis.asked;
  }
  return key;
}

/// Numbers texts by their first appearance.
class FirstSeen {
public:
  std::size_t rank(const std::string& text) {
    return ranks_.try_emplace(text, ranks_.size()).first->second;
  }

private:
  std::map<std::string, std::size_t> ranks_;
};

/// Number of cells, from this one on, that belong together. A team has one cell for each device
/// alone, then its own; all share their keys. Each restart runs them all, because only cells of the
/// same restart are compared.
std::size_t cells_at_once(const SweepCell& swept) {
  return swept.team.empty() ? 1 : swept.team.size() + 1;
}

std::vector<std::size_t> grouped(const std::vector<SweepCell>& cells) {
  FirstSeen workers;
  FirstSeen loads;
  const auto keys = mapped(cells, [&](const SweepCell& cell) {
    return std::pair(workers.rank(worker_key(cell)), loads.rank(load_key(cell.planned.cell)));
  });
  std::vector<std::size_t> order(cells.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t cell) { return keys[cell]; });
  return order;
}

/// Gives each cell a folder of its own, because file names do not show all differences of cells.
void separate_images(std::vector<SweepCell>& cells) {
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (auto& folder = cells[i].planned.cell.save_images; !folder.empty()) {
      folder /= "cell-" + std::to_string(i + 1);
    }
  }
}

/// Refuses a file that one cell writes at its end and a cell reads at its start.
void refuse_lost_noise(const std::vector<SweepCell>& cells) {
  std::set<std::filesystem::path> inputs;
  for (const SweepCell& cell : cells) {
    if (const auto& file = cell.planned.cell.init_latents; !file.empty()) {
      inputs.insert(std::filesystem::weakly_canonical(file));
    }
  }
  for (const SweepCell& cell : cells) {
    const auto& file = cell.planned.cell.dump_latents;
    if (!file.empty() && inputs.contains(std::filesystem::weakly_canonical(file))) {
      throw UsageError("--dump-latents must be another file than --init-latents, but " +
                       in_quotes(file.string()) + " is both, and would be replaced");
    }
  }
}

void refuse_shared_latents(const std::vector<SweepCell>& cells) {
  std::set<std::filesystem::path> files;
  for (const SweepCell& cell : cells) {
    const auto& file = cell.planned.cell.dump_latents;
    if (!file.empty() && !files.insert(file).second) {
      throw UsageError("--dump-latents must name a file for one cell, but " +
                       in_quotes(file.string()) +
                       " is named for several; give each its own in the cells of a config file");
    }
  }
}

} // namespace

std::vector<SweepCell> resolve_sweep(const std::vector<RunOptions>& options) {
  ModelResolver models;
  std::vector<SweepCell> cells;
  for (const RunOptions& one : options) {
    PlannedCell planned = plan_cell(one.cell, one.model_given, models);
    const std::vector<std::string> team = planned.cell.parallel_devices;
    for (Cell& alone : alone_cells(planned.cell)) {
      cells.push_back({{std::move(alone), planned.obstacle, planned.unreadable},
                       one.label,
                       one.note,
                       one.tags,
                       false,
                       team});
    }
    cells.push_back({std::move(planned), one.label, one.note, one.tags, !one.cell.batch, team});
  }
  if (std::ranges::none_of(cells,
                           [](const SweepCell& cell) { return cell.planned.obstacle.empty(); })) {
    refuse(cells.front().planned);
  }
  refuse_lost_noise(cells);
  if (cells.size() > 1) {
    refuse_shared_latents(cells);
    separate_images(cells);
  }
  return cells;
}

std::vector<SweepStep> plan_steps(const std::vector<SweepCell>& cells, std::int64_t rounds,
                                  std::optional<std::int64_t> restarts) {
  const std::vector<std::size_t> order = grouped(cells);
  std::vector<SweepStep> steps;
  std::string worker;
  for (std::int64_t round = 1; round <= rounds; ++round) {
    for (auto rest = std::span(order); !rest.empty();) {
      const std::size_t count = cells_at_once(cells[rest.front()]);
      std::string key = worker_key(cells[rest.front()]);
      const bool changed = !steps.empty() && key != worker;
      worker = std::move(key);
      for (std::int64_t restart = 1; restart <= restarts.value_or(1); ++restart) {
        for (std::size_t i = 0; i < count; ++i) {
          const bool fresh = restarts.has_value() || (changed && i == 0);
          steps.push_back({rest[i], round, restart, fresh});
        }
      }
      rest = rest.subspan(count);
    }
  }
  return steps;
}

} // namespace sdbench
