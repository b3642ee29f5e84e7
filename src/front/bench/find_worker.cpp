#include "sdbench/front/bench/find_worker.h"

#include <algorithm>
#include <sstream>

#include <unistd.h>

#include "sdbench/base/errors/error.h"
#include "sdbench/base/files/cache_folder.h"
#include "sdbench/base/files/json_io.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/front/bench/version_numbers.h"
#include "sdbench/front/machine/folder_entries.h"

namespace sdbench {
namespace {

namespace fs = std::filesystem;

std::string names_of(const std::vector<WorkerProgram>& workers) {
  return joined(mapped(workers, &WorkerProgram::libtorch_version));
}

/// Version of the libtorch in `folder`: "2.11.0+cu130". Empty if unknown.
std::string version_of_libtorch(const fs::path& folder) {
  if (fs::exists(folder / "build-version")) { // the LibTorch zip
    return read_text_file(folder / "build-version");
  }
  if (fs::exists(folder / "version.py")) { // the wheel: __version__ = '2.11.0+cu130'
    const std::string text = read_text_file(folder / "version.py");
    const std::string key = "__version__ = '";
    const std::size_t at = text.find(key);
    return at == std::string::npos ? "" : text.substr(at + key.size(), 40);
  }
  return "";
}

/// Advice for a version without a worker.
std::string why_no_worker(const std::string& libtorch) {
  const std::vector<int> version = version_numbers(libtorch);
  if (version.empty()) {
    return "";
  }
  return version < std::vector<int>{2, 7}
             ? ": wheels up to 2.6 have the old C++ ABI and do not link with the system's libraries"
             : "; build one with SDBENCH_LIBTORCH=" + libtorch + " scripts/run.sh --version";
}

/// A folder relative to the worker's, in a tree that can be moved.
std::string moved_folder(const fs::path& folder, const std::string& relative) {
  std::string moved = fs::absolute(folder / relative).lexically_normal().string();
  if (moved.find_first_of(":;") != std::string::npos) { // either is a separator for the loader
    throw Error("the folder of sdbench must have neither ':' nor ';' in its path, but lies in " +
                folder.string() + "; move it");
  }
  return moved;
}

/// The library path that CMake or scripts/bundle.sh wrote beside the worker.
std::string library_path_of_build(const fs::path& folder) {
  const fs::path file = folder / "library-path";
  std::istringstream text(fs::exists(file) ? read_text_file(file) : "");
  std::string line;
  std::getline(text, line);
  std::string path;
  std::istringstream places(line);
  for (std::string place; std::getline(places, place, ':');) {
    path += path.empty() ? "" : ":";
    path += fs::path(place).is_relative() ? moved_folder(folder, place) : place;
  }
  return path;
}

/// A libtorch's own folder and, for the wheel, the folders of the CUDA packages beside it.
std::string library_path_of(const fs::path& libtorch) {
  std::string path = fs::absolute(libtorch / "lib").string();
  for (const fs::path& package : folder_entries(fs::absolute(libtorch / "../nvidia"))) {
    if (fs::is_directory(package / "lib")) {
      path += ":" + (package / "lib").string();
    }
  }
  return path;
}

/// Marks a worker that was packaged without libtorch.
constexpr const char* kNeedsLibtorch = "needs-libtorch";
constexpr const char* kSetUpWhole = ".complete"; // what engines/set_up_libtorch.py writes last

WorkerProgram worker_in(const fs::path& folder) {
  WorkerProgram worker{folder / "sdbench-worker", folder.filename().string(),
                       library_path_of_build(folder)};
  if (fs::exists(folder / kNeedsLibtorch)) {
    worker.needs_libtorch = true;
    const fs::path libtorch = set_up_libtorch_folder(worker.libtorch_version);
    worker.library_path =
        fs::exists(libtorch / kSetUpWhole) ? library_path_of(libtorch / "torch") : "";
  }
  return worker;
}

const WorkerProgram& with_libtorch(const WorkerProgram& worker) {
  if (!has_libtorch(worker)) {
    throw Error("libtorch " + worker.libtorch_version +
                " must be installed for its worker, but is not; run sdbench setup libtorch " +
                worker.libtorch_version + ", or name a torch folder with SDBENCH_LIBTORCH");
  }
  return worker;
}

WorkerProgram with_libraries_of(const fs::path& folder, const std::vector<WorkerProgram>& workers) {
  if (!fs::exists(folder / "lib" / "libtorch_cpu.so")) {
    throw Error("SDBENCH_LIBTORCH must be a version or a libtorch folder, but " + folder.string() +
                " has no lib/libtorch_cpu.so; name the folder that holds include/ and lib/");
  }
  const std::vector<int> wanted = version_numbers(version_of_libtorch(folder));
  for (WorkerProgram worker : workers) {
    if (version_numbers(worker.libtorch_version) == wanted) {
      worker.library_path =
          library_path_of(folder) + (worker.library_path.empty() ? "" : ":" + worker.library_path);
      return worker;
    }
  }
  throw Error("SDBENCH_LIBTORCH must be of a version that a worker was built for (" +
              names_of(workers) + "), but the libtorch in " + folder.string() +
              " is another one; build with SDBENCH_LIBTORCH=" + folder.string() +
              " scripts/run.sh --version");
}

} // namespace

bool has_libtorch(const WorkerProgram& worker) {
  return !worker.needs_libtorch || !worker.library_path.empty();
}

fs::path set_up_libtorch_folder(const std::string& version) {
  const fs::path cache = cache_folder();
  return cache.empty() ? fs::path() : cache / kCachedLibtorches / version;
}

std::vector<WorkerProgram> list_workers(const fs::path& libexec) {
  std::vector<WorkerProgram> workers;
  for (const fs::path& folder : folder_entries(libexec)) {
    if (::access((folder / "sdbench-worker").c_str(), X_OK) == 0) {
      workers.push_back(worker_in(folder));
    }
  }
  std::sort(workers.begin(), workers.end(), [](const WorkerProgram& a, const WorkerProgram& b) {
    return version_numbers(a.libtorch_version) > version_numbers(b.libtorch_version);
  });
  return workers;
}

WorkerProgram find_worker(const fs::path& libexec, const std::string& libtorch) {
  const std::vector<WorkerProgram> workers = list_workers(libexec);
  if (workers.empty()) {
    throw Error("a worker must be in " + libexec.string() +
                "/VERSION/sdbench-worker, but there is none; build it with scripts/run.sh");
  }
  if (libtorch.empty()) {
    const auto ready = std::ranges::find_if(workers, has_libtorch);
    return with_libtorch(ready == workers.end() ? workers.front() : *ready);
  }
  // Only a slash makes it a path, as in scripts/run.sh, so that a folder named 2.11.0 does not hide
  // the version.
  if (libtorch.find('/') != std::string::npos) {
    return with_libraries_of(libtorch, workers);
  }
  for (const WorkerProgram& worker : workers) {
    if (worker.libtorch_version == libtorch) {
      return with_libtorch(worker);
    }
  }
  throw Error("SDBENCH_LIBTORCH must be a version with a worker (" + names_of(workers) +
              ") or a libtorch folder, but is " + libtorch + why_no_worker(libtorch));
}

WorkerProgram without_cuda(WorkerProgram worker) {
  const fs::path program = worker.path.parent_path() / "sdbench-worker-cpu";
  if (::access(program.c_str(), X_OK) == 0) {
    worker.path = program;
  }
  return worker;
}

} // namespace sdbench
