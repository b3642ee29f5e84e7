#include "version_text.h"

#include "sdbench/base/config/install_paths.h"
#include "sdbench/base/core/build_info.h"
#include "sdbench/front/bench/find_worker.h"

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
