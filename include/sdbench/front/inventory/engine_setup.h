#pragma once

#include <vector>

#include <spdlog/logger.h>

#include "sdbench/base/config/engine_table.h"
#include "sdbench/front/bench/sweep.h"
#include "sdbench/front/terminal/streams.h"

namespace sdbench {

/// Third-party engines that the cells need and that are not set up, each once. Omits GPU-only
/// engines if there is no driver, whatever --device says.
[[nodiscard]] std::vector<const EngineRow*> missing_engines(const std::vector<SweepCell>& cells);

/// Sets up what the cells' engines lack: with `yes`, or where a person at the terminal agrees. What
/// is not set up then is said, and its cells are skipped with the command to give.
void set_up_missing_engines(const std::vector<SweepCell>& cells, bool yes, const Streams& streams,
                            spdlog::logger& logger);

} // namespace sdbench
