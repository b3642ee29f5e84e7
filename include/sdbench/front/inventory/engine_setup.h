#pragma once

#include <vector>

#include <spdlog/logger.h>

#include "sdbench/base/config/other_engine_table.h"
#include "sdbench/front/bench/sweep.h"
#include "sdbench/front/terminal/streams.h"

namespace sdbench {

/// Third-party engines that the cells need and that are not set up, without duplicates. If there is
/// no CUDA driver, omits engines that need a GPU, even if --device names a GPU.
[[nodiscard]] std::vector<const EngineRow*> missing_engines(const std::vector<SweepCell>& cells);

/// Sets up each engine of missing_engines() if `yes` is true or a person at the terminal agrees.
/// Warns of each engine that is still missing: its cells are skipped. The warning names the command
/// that sets the engine up.
void set_up_missing_engines(const std::vector<SweepCell>& cells, bool yes, const Streams& streams,
                            spdlog::logger& logger);

} // namespace sdbench
