#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sdbench/base/config/engine_table.h"
#include "sdbench/front/bench/find_worker.h"

namespace sdbench {

/// Runs a set-up of engines/: Python's words go to standard error. Returns its exit code, 128 and
/// the signal where one ended it. Throws Error where it cannot be started, or was killed.
/// It ends with this process.
[[nodiscard]] int run_set_up(std::vector<std::string> command);

/// Sets an engine's environment up, or sees that it is there. `libtorch` and `wheels`: see
/// set_up_command. Returns what run_set_up does, and throws so.
[[nodiscard]] int set_up_engine(const EngineRow& row, const WorkerProgram& libtorch,
                                const std::filesystem::path& wheels = {});

} // namespace sdbench
