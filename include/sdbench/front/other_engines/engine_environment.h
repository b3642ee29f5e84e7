#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sdbench/base/config/engine_table.h"
#include "sdbench/base/device/cuda_driver.h"
#include "sdbench/front/bench/find_worker.h"

namespace sdbench {

/// The Python virtual environment with the packages of an engine that is not ours. Engines with the
/// same packages share one.
struct EngineEnvironment {
  std::filesystem::path folder;
  std::vector<std::string>
      packages; ///< torch first, with the libtorch's version, as pip takes them
};

/// The folder of all environments: SDBENCH_ENGINES, else .deps/engines of the checkout that built
/// this program, else sdbench/engines in the user's cache folder.
[[nodiscard]] std::filesystem::path engines_folder();

/// An engine's environment, with the torch version of our own worker's libtorch. `has_driver`: an
/// NVIDIA driver is present.
[[nodiscard]] EngineEnvironment environment_of(const EngineRow& row,
                                               const std::string& libtorch_version,
                                               bool has_driver = has_cuda_driver());

/// True if its set-up finished with these packages and its Python still exists.
[[nodiscard]] bool is_complete(const EngineEnvironment& environment);

/// True if engines/set_up.py made that folder, complete or not. Its name alone proves nothing,
/// because it is an everyday word.
[[nodiscard]] bool is_made_by_set_up(const std::filesystem::path& folder);
/// True if the set-up of that folder finished, with any packages.
[[nodiscard]] bool is_whole(const std::filesystem::path& folder);

/// "sdbench setup engine pytorch"
[[nodiscard]] std::string setup_command_of(const EngineRow& row);
/// One command for several engines, which names one engine for each environment.
[[nodiscard]] std::string setup_command_of(const std::vector<const EngineRow*>& rows);

/// The engine's worker in a complete environment.
[[nodiscard]] WorkerProgram worker_of(const EngineRow& row, const EngineEnvironment& environment);

/// Disk space that the set-up needs, in GB. Includes a torch if `libtorch` is not a wheel's.
/// set_up.py reports it if Python's version differs from the wheel's.
[[nodiscard]] double disk_gb(const EngineRow& row, const WorkerProgram& libtorch);

/// The command that sets the environment up, for exec. `libtorch`: our worker's, whose torch is
/// used if its Python version is the same. `wheels`: a folder of wheels; empty: PyPI.
[[nodiscard]] std::vector<std::string> set_up_command(const EngineRow& row,
                                                      const EngineEnvironment& environment,
                                                      const WorkerProgram& libtorch,
                                                      const std::filesystem::path& wheels);

} // namespace sdbench
