#pragma once

#include <filesystem>

#include "sdbench/base/config/engine_table.h"
#include "sdbench/front/bench/find_worker.h"

namespace sdbench {

/// Sets an engine's environment up, or sees that it is there: Python's words go to standard error.
/// `libtorch` and `wheels`: see set_up_command. Returns Python's exit code, 128 and the signal
/// where one ended it. Throws Error where there is no Python.
[[nodiscard]] int set_up_engine(const EngineRow& row, const WorkerProgram& libtorch,
                                const std::filesystem::path& wheels = {});

} // namespace sdbench
