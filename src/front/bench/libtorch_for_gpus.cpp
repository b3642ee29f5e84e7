#include "sdbench/front/bench/libtorch_for_gpus.h"

#include <algorithm>
#include <filesystem>
#include <optional>

#include "sdbench/base/errors/error.h"
#include "sdbench/base/files/json_io.h"
#include "sdbench/front/bench/version_numbers.h"

namespace sdbench {
namespace {

std::optional<GpuCode> gpu_code_beside(const WorkerProgram& worker) {
  const std::filesystem::path file = worker.path.parent_path() / "gpu-code.json";
  if (!std::filesystem::exists(file)) {
    return std::nullopt;
  }
  const Json json = read_json_file(file);
  try {
    return GpuCode{json.at("oldest_driver"), json.at("capabilities")};
  } catch (const Json::exception&) {
    throw Error(file.string() +
                " must hold oldest_driver and capabilities, but does not; install sdbench again");
  }
}

} // namespace

bool serves(const GpuCode& code, const GpuFacts& gpu) {
  const std::vector<int> driver = version_numbers(gpu.driver_version);
  if (!driver.empty() && driver < version_numbers(code.oldest_driver)) {
    return false;
  }
  return gpu.compute_major == 0 ||
         std::ranges::any_of(code.capabilities, [&](const std::string& capability) {
           const std::vector<int> numbers = version_numbers(capability);
           return numbers.size() == 2 && numbers[0] == gpu.compute_major &&
                  numbers[1] <= gpu.compute_minor;
         });
}

std::string libtorch_for_gpus(const std::vector<WorkerProgram>& workers,
                              const std::vector<GpuFacts>& gpus) {
  if (workers.size() < 2 || gpus.empty()) {
    return "";
  }
  const bool any_ready = std::ranges::any_of(workers, has_libtorch);
  const WorkerProgram* best = nullptr;
  std::ptrdiff_t most = -1;
  for (const WorkerProgram& worker : workers) {
    if (any_ready && !has_libtorch(worker)) {
      continue;
    }
    const std::optional<GpuCode> code = gpu_code_beside(worker);
    const auto count = std::ranges::count_if(
        gpus, [&](const GpuFacts& gpu) { return !code || serves(*code, gpu); });
    if (count > most) {
      most = count;
      best = &worker;
    }
  }
  return best->libtorch_version;
}

} // namespace sdbench
