#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sdbench/base/config/other_engine_table.h"
#include "sdbench/front/bench/find_worker.h"

namespace sdbench {

/// Runs a set-up program of engines/, whose output goes to standard error. Returns its exit code,
/// or 128 plus the number of the signal that ended it. Throws Error if it cannot be started, or if
/// SIGKILL ended it. If this process ends, the program is also ended.
[[nodiscard]] int run_set_up(std::vector<std::string> command);

/// Sets an engine's environment up unless it is complete. `libtorch` and `wheels`: see
/// set_up_command(). Returns and throws as run_set_up() does.
[[nodiscard]] int set_up_engine(const EngineRow& row, const WorkerProgram& libtorch,
                                const std::filesystem::path& wheels = {});

} // namespace sdbench
