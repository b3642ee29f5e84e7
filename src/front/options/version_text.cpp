#include "version_text.h"

#include <utility>

#include <nlohmann/json.hpp>

#include "sdbench/base/config/install_paths.h"
#include "sdbench/base/files/cache_folder.h"
#include "sdbench/base/system/build_info.h"
#include "sdbench/front/bench/find_worker.h"
#include "sdbench/front/record/run_record.h"

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

std::string version_json() {
  nlohmann::ordered_json workers = nlohmann::ordered_json::array();
  for (const WorkerProgram& worker : list_workers(libexec_folder())) {
    workers.push_back(
        {{"libtorch_version", worker.libtorch_version}, {"program", worker.path.string()}});
  }
  const nlohmann::ordered_json facts = {
      {"sdbench_version", version()},  {"git_sha", git_sha()},
      {"build_type", build_type()},    {"schema_version", kSchemaVersion},
      {"workers", std::move(workers)}, {"cache_folder", cache_folder().string()}};
  return facts.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

} // namespace sdbench
