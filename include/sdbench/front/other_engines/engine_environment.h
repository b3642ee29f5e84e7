#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sdbench/base/config/other_engine_table.h"
#include "sdbench/base/device/cuda_driver.h"
#include "sdbench/front/bench/find_worker.h"

namespace sdbench {

/// The Python virtual environment with the packages of another project's engine. Engines with the
/// same packages share an environment.
struct EngineEnvironment {
  std::filesystem::path folder;
  /// In the syntax of pip. The first is torch, in the version of our worker's libtorch.
  std::vector<std::string> packages;
};

/// The folder of all environments: SDBENCH_ENGINES, else .deps/engines of the checkout that built
/// this program, else sdbench/engines in the user's cache folder.
[[nodiscard]] std::filesystem::path engines_folder();

/// An engine's environment, with the torch version of our own worker's libtorch. `has_driver`: an
/// NVIDIA driver is present.
[[nodiscard]] EngineEnvironment environment_of(const EngineRow& row,
                                               const std::string& libtorch_version,
                                               bool has_driver = has_cuda_driver());

/// True if a set-up of environment.packages finished, and the folder's Python still exists.
[[nodiscard]] bool is_complete(const EngineEnvironment& environment);

/// True if engines/set_up.py made that folder, complete or not. The folder's name alone does not
/// prove this, because any program can make a folder "pytorch".
[[nodiscard]] bool is_made_by_set_up(const std::filesystem::path& folder);
/// True if the set-up of that folder finished, whichever packages it installed.
[[nodiscard]] bool is_whole(const std::filesystem::path& folder);

/// The command that sets the engine up: "sdbench setup engine pytorch".
[[nodiscard]] std::string setup_command_of(const EngineRow& row);
/// One command that sets up several engines. If engines share an environment, the command names
/// only one of them.
[[nodiscard]] std::string setup_command_of(const std::vector<const EngineRow*>& rows);

/// The engine's worker in a complete environment.
[[nodiscard]] WorkerProgram worker_of(const EngineRow& row, const EngineEnvironment& environment);

/// Disk space that the set-up needs, in GB. Includes a copy of torch unless our worker `libtorch`
/// uses the libtorch of a torch wheel, which the environment then shares. If that wheel is not for
/// python3's version, the set-up needs a copy that is not counted here; set_up.py reports that.
[[nodiscard]] double disk_gb(const EngineRow& row, const WorkerProgram& libtorch);

/// The command that sets the environment up, for exec. `libtorch`: our own worker; if its libtorch
/// comes from a torch wheel for python3's version, the environment uses that torch. `wheels`: the
/// folder from which wheels are installed; empty: PyPI.
[[nodiscard]] std::vector<std::string> set_up_command(const EngineRow& row,
                                                      const EngineEnvironment& environment,
                                                      const WorkerProgram& libtorch,
                                                      const std::filesystem::path& wheels);

} // namespace sdbench
