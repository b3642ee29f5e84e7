#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace sdbench {

/// A worker program, whose process runs cells, and the folders of its libraries.
struct WorkerProgram {
  std::filesystem::path path;
  std::string libtorch_version; ///< also the name of the worker's folder
  /// The start of the worker's LD_LIBRARY_PATH: "FOLDER:FOLDER". The loader searches these folders
  /// before the user's, so that the user's libraries (such as a toolkit's libcudart) do not replace
  /// those of libtorch. Libraries that load others by name alone, as cuDNN loads NVRTC, also need
  /// these folders. First come the folders of the libtorch that the user named, if any, then those
  /// that the build wrote into the file `library-path`. Empty if there are no such folders.
  std::string library_path;
  std::vector<std::string> arguments = {}; ///< follow the program's name on its command line
  /// False for a worker of another project's engine. For our own workers, sdbench sets how idle
  /// OpenMP threads wait; other engines keep their defaults.
  bool is_ours = true;
  /// True if the worker was packaged without libtorch. library_path is then empty until libtorch is
  /// set up.
  bool needs_libtorch = false;
};

/// The workers in `libexec` (one folder per libtorch version), newest libtorch first. Empty if
/// there is no folder `libexec`. A worker's file `library-path` may name folders relative to the
/// worker's folder. Throws Error if the absolute path of such a folder has a colon or a semicolon,
/// which the loader would take for a separator.
[[nodiscard]] std::vector<WorkerProgram> list_workers(const std::filesystem::path& libexec);
/// True if the worker can start: it was built with a libtorch, or one was set up for it.
[[nodiscard]] bool has_libtorch(const WorkerProgram& worker);

/// The folder into which `sdbench setup libtorch` puts this version of libtorch, for a worker that
/// was packaged without one. The folder has the layout of PyTorch's wheels: torch/lib and
/// nvidia/*/lib. Empty if the cache folder is unknown.
[[nodiscard]] std::filesystem::path set_up_libtorch_folder(const std::string& version);

/// The worker to run. `libtorch` is the value of SDBENCH_LIBTORCH:
/// - empty: the worker with the newest libtorch, among those whose libtorch is installed
/// - a version: the worker built for that version
/// - a libtorch folder (with lib/, such as the wheel's torch/): the worker built for that
///   libtorch's version, with the libraries of that folder
///
/// If no worker fits, throws an Error that names the workers found.
[[nodiscard]] WorkerProgram find_worker(const std::filesystem::path& libexec,
                                        const std::string& libtorch);

/// The variant of this worker for a machine without a GPU: the program sdbench-worker-cpu in the
/// same folder, which does not load libtorch's CUDA libraries. Returns `worker` unchanged if there
/// is no such program, for example because its libtorch has no CUDA.
[[nodiscard]] WorkerProgram without_cuda(WorkerProgram worker);

} // namespace sdbench
