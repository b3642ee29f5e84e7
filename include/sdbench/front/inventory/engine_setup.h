#pragma once

#include <vector>

#include <spdlog/logger.h>

#include "sdbench/base/config/other_engine_table.h"
#include "sdbench/front/bench/sweep.h"
#include "sdbench/front/terminal/streams.h"

namespace sdbench {

/// Third-party engines that the cells need and that are not set up, each once. Omits engines that
/// need a GPU if there is no CUDA driver, even if --device names a GPU.
[[nodiscard]] std::vector<const EngineRow*> missing_engines(const std::vector<SweepCell>& cells);

/// Sets up the engines that the cells need and that are not set up, if `yes` is true or a person at
/// the terminal agrees. Warns of each engine that is still not set up: its cells are skipped. The
/// warning names the command that sets the engine up.
void set_up_missing_engines(const std::vector<SweepCell>& cells, bool yes, const Streams& streams,
                            spdlog::logger& logger);

} // namespace sdbench
