#include "sdbench/front/other_engines/engine_environment.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include "kept_folder.h"
#include "sdbench/base/config/install_paths.h"
#include "sdbench/base/files/cache_folder.h"
#include "sdbench/base/files/json_io.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/front/bench/version_numbers.h"

namespace sdbench {
namespace {

namespace fs = std::filesystem;

constexpr int kTorchGb = 6;                    ///< with CUDA's libraries, as in PyPI's wheels
constexpr const char* kFirstMark = ".sdbench"; // engines/set_up.py makes it
constexpr const char* kLastMark = ".complete";

/// This program's folder engines/.
fs::path programs() {
  return share_folder() / "engines";
}

fs::path python_of(const EngineEnvironment& environment) {
  return environment.folder / "bin" / "python";
}

/// The text of the file that set_up.py writes last.
std::string complete_text(const EngineEnvironment& environment) {
  return joined(environment.packages, " ") + "\n";
}

/// The site-packages folder of the worker's libtorch; empty if that is not a wheel's.
fs::path site_packages_of(const WorkerProgram& worker) {
  for (const std::string_view path : split(worker.library_path, ':')) {
    fs::path folder = fs::path(path).parent_path().parent_path();
    if (!path.empty() && fs::exists(folder / "torch" / "__init__.py")) {
      return folder;
    }
  }
  return {};
}

/// The torchvision that was built for a torch: 0.26.0 for 2.11.0. From 0.29.1 on, one torchvision
/// serves every torch from 2.14 on.
std::string torchvision_of(const std::string& libtorch_version) {
  std::vector<int> numbers = version_numbers(libtorch_version);
  if (numbers >= std::vector{2, 14, 1}) {
    return "0.29.2";
  }
  numbers.resize(3);
  constexpr int kMinorsAhead = 15;
  return "0." + std::to_string(numbers[1] + kMinorsAhead) + "." + std::to_string(numbers[2]);
}

/// The package that fits torch's CUDA: "tensorrt-cu13==10.16" for "tensorrt-cuX==10.16", nothing
/// for "onnxruntime-gpu==1.23.2 @cu12". A process can have only one CUDA; PyPI's torch has 13
/// from 2.11 on.
std::optional<std::string> fitting(std::string package, const std::string& libtorch_version) {
  if (package == "torchvision==X") {
    package.replace(package.size() - 1, 1, torchvision_of(libtorch_version));
  }
  constexpr std::string_view kAnyCuda = "-cuX";
  constexpr std::string_view kOnlyFor = " @";
  const bool is_cuda_13 = version_numbers(libtorch_version) >= version_numbers("2.11");
  const std::string cuda = is_cuda_13 ? "cu13" : "cu12";
  if (const std::size_t place = package.find(kAnyCuda); place != std::string::npos) {
    package.replace(place, kAnyCuda.size(), "-" + cuda);
  }
  if (const std::size_t place = package.find(kOnlyFor); place != std::string::npos) {
    if (package.substr(place + kOnlyFor.size()) != cuda) {
      return std::nullopt;
    }
    package.resize(place);
  }
  return package;
}

} // namespace

fs::path engines_folder() {
  const char* const named = std::getenv("SDBENCH_ENGINES");
  if (named != nullptr && *named != '\0') {
    return named;
  }
  std::error_code missing; // in a build tree engines/ is a link into the checkout
  const fs::path checkout = fs::canonical(programs(), missing).parent_path();
  if (!missing && fs::is_directory(checkout / ".deps")) {
    return checkout / ".deps" / "engines";
  }
  return kept_folder(kCachedEngines);
}

EngineEnvironment environment_of(const EngineRow& row, const std::string& libtorch_version,
                                 bool has_driver) {
  const bool is_for_gpus = !row.gpu_environment.empty() && has_driver;
  EngineEnvironment environment{engines_folder() /
                                    (is_for_gpus ? row.gpu_environment : row.environment),
                                {"torch==" + libtorch_version}};
  std::ranges::move(
      mapped_known(is_for_gpus ? row.gpu_packages : row.packages,
                   [&](const auto& package) { return fitting(package, libtorch_version); }),
      std::back_inserter(environment.packages));
  return environment;
}

bool is_whole(const fs::path& folder) {
  std::error_code missing;
  return fs::exists(folder / kLastMark, missing);
}

bool is_made_by_set_up(const fs::path& folder) {
  std::error_code missing;
  return fs::exists(folder / kFirstMark, missing) || is_whole(folder);
}

bool is_complete(const EngineEnvironment& environment) {
  const fs::path mark = environment.folder / kLastMark;
  std::error_code missing;
  return fs::is_regular_file(mark, missing) && read_text_file(mark) == complete_text(environment) &&
         fs::exists(python_of(environment), missing); // a link, whose Python may be gone
}

std::string setup_command_of(const EngineRow& row) {
  return setup_command_of(std::vector<const EngineRow*>{&row});
}

std::string setup_command_of(const std::vector<const EngineRow*>& rows) {
  std::string command = "sdbench setup engine";
  std::set<std::string_view> environments;
  for (const EngineRow* const row : rows) {
    if (environments.insert(row->environment).second) {
      command += " " + std::string(row->name);
    }
  }
  return command;
}

WorkerProgram worker_of(const EngineRow& row, const EngineEnvironment& environment) {
  WorkerProgram worker;
  worker.path = python_of(environment);
  worker.arguments = {"-I", programs() / "worker.py", std::string(row.name)};
  worker.is_ours = false;
  return worker;
}

double disk_gb(const EngineRow& row, const WorkerProgram& libtorch) {
  return row.disk_gb + (site_packages_of(libtorch).empty() ? kTorchGb : 0);
}

std::vector<std::string> set_up_command(const EngineRow& row, const EngineEnvironment& environment,
                                        const WorkerProgram& libtorch, const fs::path& wheels) {
  std::vector<std::string> command = {"python3",
                                      "-I",
                                      "-B",
                                      programs() / "set_up.py",
                                      environment.folder,
                                      std::to_string(static_cast<int>(std::ceil(row.disk_gb))),
                                      "--torch-gigabytes",
                                      std::to_string(kTorchGb)};
  if (const fs::path site_packages = site_packages_of(libtorch); !site_packages.empty()) {
    command.insert(command.end(), {"--torch-folder", site_packages});
  }
  if (!wheels.empty()) {
    command.insert(command.end(), {"--from", wheels});
  }
  command.insert(command.end(), environment.packages.begin(), environment.packages.end());
  return command;
}

} // namespace sdbench
