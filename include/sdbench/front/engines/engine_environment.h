#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sdbench/base/config/engine_table.h"
#include "sdbench/base/device/cuda_driver.h"
#include "sdbench/front/bench/find_worker.h"

namespace sdbench {

/// Where the packages of another's engine stand: a virtual environment of Python's. Engines that
/// need the same packages share one.
struct EngineEnvironment {
  std::filesystem::path folder;
  std::vector<std::string>
      packages; ///< torch first, with the libtorch's version, as pip takes them
};

/// Where environments stand: SDBENCH_ENGINES, else .deps/engines of the checkout that this program
/// was built in, else sdbench/engines in the user's cache folder.
[[nodiscard]] std::filesystem::path engines_folder();

/// Of an engine, with the torch whose libtorch our own worker has. `has_driver`: NVIDIA's.
[[nodiscard]] EngineEnvironment environment_of(const EngineRow& row,
                                               const std::string& libtorch_version,
                                               bool has_driver = has_cuda_driver());

/// True if its set-up finished with these packages.
[[nodiscard]] bool is_complete(const EngineEnvironment& environment);

/// Whether engines/set_up.py has made that folder, be it whole or not: its name is an everyday
/// word, which anybody's folder may have.
[[nodiscard]] bool is_made_by_set_up(const std::filesystem::path& folder);
/// True if its set-up finished, with any packages.
[[nodiscard]] bool is_whole(const std::filesystem::path& folder);

/// "sdbench setup engine pytorch"
[[nodiscard]] std::string setup_command_of(const EngineRow& row);
/// Of several, one for each environment.
[[nodiscard]] std::string setup_command_of(const std::vector<const EngineRow*>& rows);

/// The engine's worker in a complete environment.
[[nodiscard]] WorkerProgram worker_of(const EngineRow& row, const EngineEnvironment& environment);

/// What setting it up takes of the disk, in GB: a torch of its own, too, where `libtorch` is no
/// wheel's. Where Python's version is another than the wheel's, set_up.py says so.
[[nodiscard]] double disk_gb(const EngineRow& row, const WorkerProgram& libtorch);

/// The command that sets the environment up, for exec. `libtorch`: the worker's, whose torch is
/// taken where Python's version is the same. `wheels`: a folder of wheels instead of PyPI; empty:
/// PyPI.
[[nodiscard]] std::vector<std::string> set_up_command(const EngineRow& row,
                                                      const EngineEnvironment& environment,
                                                      const WorkerProgram& libtorch,
                                                      const std::filesystem::path& wheels);

} // namespace sdbench
