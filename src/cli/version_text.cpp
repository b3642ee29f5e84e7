#include "sdbench/cli/version_text.h"

#include "sdbench/bench/find_worker.h"
#include "sdbench/config/install_paths.h"
#include "sdbench/core/build_info.h"

namespace sdbench {

std::string version_text() {
  std::string workers;
  for (const WorkerProgram& worker : list_workers(libexec_folder())) {
    workers += (workers.empty() ? "" : ", ") + worker.libtorch_version;
  }
  if (workers.empty()) {
    workers = "no worker in " + libexec_folder().string();
  }
  return "sdbench  " + std::string(version()) + "\ncommit   " + std::string(git_sha()) +
         "\nbuild    " + std::string(build_type()) + "\nlibtorch " + workers + "\n";
}

} // namespace sdbench
