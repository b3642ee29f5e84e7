#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace sdbench {

/// A worker program and the folders of its libraries.
struct WorkerProgram {
  std::filesystem::path path;
  std::string libtorch_version; ///< name of the folder it stands in
  /// "FOLDER:FOLDER", for LD_LIBRARY_PATH, which the loader prefers to the worker's own paths. It
  /// keeps a user's libraries (a toolkit's libcudart) from replacing those of libtorch. It also
  /// serves libraries that load others by name only (cuDNN loads NVRTC). Holds the build's folders,
  /// preceded by those of the user's own libtorch. Empty if the build wrote none.
  std::string library_path;
  std::vector<std::string> arguments = {}; ///< follow the program's name
  bool is_ours = true; ///< sdbench chooses how its threads wait; other engines keep their defaults
  bool needs_libtorch =
      false; ///< packaged without libtorch: library_path is empty until libtorch is set up
};

/// The workers in `libexec` (one folder per libtorch version), newest libtorch first. Empty without
/// that folder. Relative folders in a worker's library-path file start at the worker's folder.
/// Throws Error if the path of such a tree has a colon or a semicolon, which the loader would take
/// for a separator.
[[nodiscard]] std::vector<WorkerProgram> list_workers(const std::filesystem::path& libexec);
/// True if the worker can start: it was built with a libtorch, or one was set up for it.
[[nodiscard]] bool has_libtorch(const WorkerProgram& worker);

/// The folder in which `sdbench setup libtorch` puts a version for a worker that was packaged
/// without it. Its layout is the wheel's: torch/lib and nvidia/*/lib. Empty if the cache folder is
/// unknown.
[[nodiscard]] std::filesystem::path set_up_libtorch_folder(const std::string& version);

/// The worker to run. `libtorch` is SDBENCH_LIBTORCH: empty → the newest that has its libtorch; a
/// version → the worker built for it; a path of a libtorch folder (with lib/, such as the wheel's
/// torch/) → the worker built for that version, with its libraries. Throws Error that names the
/// workers found.
[[nodiscard]] WorkerProgram find_worker(const std::filesystem::path& libexec,
                                        const std::string& libtorch);

/// The same worker for a machine without a GPU: sdbench-worker-cpu beside it, which does not load
/// libtorch's CUDA half. Returns `worker` unchanged if there is no such program, as with a libtorch
/// without CUDA.
[[nodiscard]] WorkerProgram without_cuda(WorkerProgram worker);

} // namespace sdbench
