#include "engine_setup.h"

#include <algorithm>
#include <string>

#include "ask.h"
#include "choose_worker.h"
#include "sdbench/base/config/engine_table.h"
#include "sdbench/base/core/number_text.h"
#include "sdbench/front/bench/find_worker.h"
#include "sdbench/front/engines/engine_environment.h"
#include "sdbench/front/engines/set_up_engine.h"

namespace sdbench {
namespace {

/// Engines of others whose cells could run, each once.
std::vector<const EngineRow*> engines_of(const std::vector<SweepCell>& cells) {
  std::vector<const EngineRow*> rows;
  for (const SweepCell& cell : cells) {
    const EngineRow* const row =
        cell.planned.obstacle.empty() ? find_engine_row(cell.planned.cell.engine) : nullptr;
    if (row != nullptr && std::ranges::find(rows, row) == rows.end()) {
      rows.push_back(row);
    }
  }
  return rows;
}

bool agrees(const EngineRow& row, const Streams& streams) {
  return can_ask() &&
         says_yes("the engine " + std::string(row.name) + " needs " + number_text(row.disk_gb) +
                      " GB of packages from PyPI. Install them now?",
                  streams);
}

} // namespace

void set_up_missing_engines(const std::vector<SweepCell>& cells, bool yes, const Streams& streams,
                            spdlog::logger& logger) {
  const std::vector<const EngineRow*> rows = engines_of(cells);
  if (rows.empty()) {
    return;
  }
  const WorkerProgram libtorch = chosen_worker();
  for (const EngineRow* const row : rows) {
    // Another of the same environment may just have brought it.
    const bool is_there = is_complete(environment_of(*row, libtorch.libtorch_version));
    if (is_there || ((yes || agrees(*row, streams)) && set_up_engine(*row, libtorch) == 0)) {
      continue;
    }
    logger.warn("engine     {} is not set up, and its cells are skipped: run {}, or give --yes",
                row->name, setup_command_of(*row));
  }
}

} // namespace sdbench
