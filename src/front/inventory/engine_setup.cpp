#include "sdbench/front/inventory/engine_setup.h"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>

#include "sdbench/base/device/cuda_driver.h"
#include "sdbench/base/device/device_kind_table.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/numbers/number_text.h"
#include "sdbench/front/bench/find_worker.h"
#include "sdbench/front/inventory/choose_worker.h"
#include "sdbench/front/other_engines/engine_environment.h"
#include "sdbench/front/other_engines/set_up_engine.h"

namespace sdbench {
namespace {

bool agrees(const EngineRow& row, const WorkerProgram& libtorch, const Streams& streams) {
  return can_ask() &&
         says_yes("the engine " + std::string(row.name) + " needs " +
                      number_text(disk_gb(row, libtorch)) + " GB of packages. Install them now?",
                  streams);
}

bool is_set_up(const EngineRow& row, const WorkerProgram& libtorch) {
  return is_complete(environment_of(row, libtorch.libtorch_version));
}

/// Engines that are needed but not set up, and the worker whose libtorch they would use. The worker
/// is chosen only if cells need any engine.
struct Missing {
  std::vector<const EngineRow*> engines;
  WorkerProgram libtorch;
};

Missing missing_of(const std::vector<SweepCell>& cells) {
  Missing missing;
  std::vector<const EngineRow*>& needed = missing.engines;
  for (const SweepCell& cell : cells) {
    const EngineRow* const row =
        cell.planned.obstacle.empty() ? find_engine_row(cell.planned.cell.engine) : nullptr;
    if (row != nullptr && std::ranges::find(needed, row) == needed.end() &&
        (!dtypes_on(*row, cpu_kind()).empty() || has_cuda_driver())) {
      needed.push_back(row);
    }
  }
  if (!needed.empty()) {
    missing.libtorch = chosen_worker();
    std::erase_if(needed, [&](const EngineRow* row) { return is_set_up(*row, missing.libtorch); });
  }
  return missing;
}

} // namespace

std::vector<const EngineRow*> missing_engines(const std::vector<SweepCell>& cells) {
  return missing_of(cells).engines;
}

void set_up_missing_engines(const std::vector<SweepCell>& cells, bool yes, const Streams& streams,
                            spdlog::logger& logger) {
  const auto [missing, libtorch] = missing_of(cells);
  std::set<std::string_view> tried; // environments, which several engines may share
  for (const EngineRow* const row : missing) {
    if (tried.insert(row->environment).second && (yes || agrees(*row, libtorch, streams))) {
      try {
        static_cast<void>(set_up_engine(*row, libtorch)); // reports failures itself
      } catch (const Error& error) {
        logger.warn("engine     {}", error.what());
      }
    }
    if (!is_set_up(*row, libtorch)) {
      logger.warn("engine     {} is not set up, and its cells are skipped: run {}{}", row->name,
                  setup_command_of(*row), yes ? "" : ", or give --yes");
    }
  }
}

} // namespace sdbench
