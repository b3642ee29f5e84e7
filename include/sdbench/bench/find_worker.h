#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace sdbench {

/// A worker program and, where the user brought a libtorch of their own, the folder its libraries
/// come from.
struct WorkerProgram {
  std::filesystem::path path;
  std::string libtorch_version;         ///< name of the folder it stands in
  std::filesystem::path library_folder; ///< for LD_LIBRARY_PATH; empty: the worker's RUNPATH serves
};

/// The workers in `libexec` (one folder per libtorch version), newest libtorch first. No folder:
/// none.
[[nodiscard]] std::vector<WorkerProgram> list_workers(const std::filesystem::path& libexec);

/// The worker to run. `libtorch` is SDBENCH_LIBTORCH: empty → the newest; a version → the worker
/// built for it; a path of a libtorch folder (with lib/, such as the wheel's torch/) → the worker
/// built for that version, with its libraries. Throws Error naming what is there.
[[nodiscard]] WorkerProgram find_worker(const std::filesystem::path& libexec,
                                        const std::string& libtorch);

/// The same worker for a machine without a GPU: sdbench-worker-cpu beside it, which does not load
/// libtorch's CUDA half. `worker` itself where there is none, as with a libtorch without CUDA.
[[nodiscard]] WorkerProgram without_cuda(WorkerProgram worker);

} // namespace sdbench
