#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace sdbench {

/// A worker program and where its libraries come from.
struct WorkerProgram {
  std::filesystem::path path;
  std::string libtorch_version; ///< name of the folder it stands in
  /// "FOLDER:FOLDER", for LD_LIBRARY_PATH, which the loader believes more than the worker: so none
  /// of what a user has there (a toolkit's libcudart) takes the place of libtorch's own. It serves
  /// also whoever looks for a library by name without a word of where (cuDNN for NVRTC). That of
  /// the build, before it that of the user's own libtorch. Empty where the build left none.
  std::string library_path;
  std::vector<std::string> arguments = {}; ///< behind the program's own name
  bool is_ours = true; ///< its threads wait as sdbench chooses; another's as its users know it
  bool needs_libtorch = false; ///< it came without one: library_path is empty until it is set up
};

/// The workers in `libexec` (one folder per libtorch version), newest libtorch first. No folder:
/// none. In the library-path beside a worker a relative folder is one from there. Throws Error
/// where the path of such a tree has a colon or a semicolon, which the loader could not read.
[[nodiscard]] std::vector<WorkerProgram> list_workers(const std::filesystem::path& libexec);
/// Whether it can start: it was built beside one, or one was set up for it.
[[nodiscard]] bool has_libtorch(const WorkerProgram& worker);

/// Where `sdbench setup libtorch` puts a version for a worker that came without, as the wheel has
/// it: torch/lib and nvidia/*/lib. Empty where there is no place for what is kept.
[[nodiscard]] std::filesystem::path set_up_libtorch_folder(const std::string& version);

/// The worker to run. `libtorch` is SDBENCH_LIBTORCH: empty → the newest that has its libtorch; a
/// version → the worker built for it; a path of a libtorch folder (with lib/, such as the wheel's
/// torch/) → the worker built for that version, with its libraries. Throws Error naming what is
/// there.
[[nodiscard]] WorkerProgram find_worker(const std::filesystem::path& libexec,
                                        const std::string& libtorch);

/// The same worker for a machine without a GPU: sdbench-worker-cpu beside it, which does not load
/// libtorch's CUDA half. `worker` itself where there is none, as with a libtorch without CUDA.
[[nodiscard]] WorkerProgram without_cuda(WorkerProgram worker);

} // namespace sdbench
