#include "sdbench/front/inventory/device_list.h"

#include <algorithm>

#include "device_json.h"
#include "device_table.h"
#include "sdbench/base/device/cuda_driver.h"
#include "sdbench/base/device/device_info.h"
#include "sdbench/base/device/gpu_architecture.h"
#include "sdbench/base/device/host.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/front/bench/worker_process.h"
#include "sdbench/front/telemetry/nvml.h"

namespace sdbench {
namespace {

/// Why CUDA cannot be used, or nothing. Asks a worker, because its libtorch's CUDA must accept the
/// driver. That takes seconds, so it does not ask without any GPU or driver.
std::string problem_of_cuda(bool lists_gpus, const ExecutorFactory& make_executor) {
  constexpr double kLongestSilenceS = 60; // the driver may hang
  if (!lists_gpus && !has_cuda_driver() && cuda_library().problem.empty()) {
    return "";
  }
  try {
    WorkerOptions options;
    options.timeout_s = kLongestSilenceS;
    const std::vector<DeviceInfo> devices = make_executor(options)->devices();
    const auto without = std::ranges::find_if(
        devices, [](const DeviceInfo& device) { return !device.cuda_obstacle.empty(); });
    return without == devices.end() ? "" : without->cuda_obstacle;
  } catch (const Error& error) {
    return std::string("no worker tells which GPUs it sees: ") + error.what();
  }
}

} // namespace

ListedGpu listed_gpu(const GpuFacts& facts, const GpuReading& now) {
  ListedGpu gpu;
  gpu.facts = facts;
  gpu.now = now;
  const auto architecture = gpu_architecture(facts.compute_major, facts.compute_minor, facts.name);
  if (!architecture) {
    return gpu;
  }
  gpu.compute_capability =
      std::to_string(facts.compute_major) + "." + std::to_string(facts.compute_minor);
  gpu.generation = architecture->generation;
  gpu.tensor_core_generation = architecture->tensor_core_generation;
  gpu.tensor_dtypes = architecture->tensor_dtypes;
  if (facts.core_count) {
    gpu.sm_count = *facts.core_count / architecture->fp32_lanes_per_sm;
  }
  if (gpu.sm_count && facts.max_sm_clock_hz) {
    gpu.fp32_flops = nominal_fp32_flops(*architecture, *gpu.sm_count, *facts.max_sm_clock_hz);
    if (architecture->fp16_flop_per_sm_clock > 0) {
      gpu.fp16_flops = nominal_fp16_flops(*architecture, *gpu.sm_count, *facts.max_sm_clock_hz);
    }
  }
  return gpu;
}

ListedCpu listed_cpu() {
  return {cpu_name(), usable_core_count(), cpu_instruction_sets(), host_memory_total_bytes(),
          host_memory_available_bytes()};
}

std::string device_list_text(bool json, const ExecutorFactory& make_executor) {
  DeviceList list;
  if (const auto nvml = open_nvml(list.nvml_problem)) {
    const std::vector<GpuFacts> facts = nvml->facts();
    const std::vector<GpuReading> readings = nvml->read();
    for (std::size_t i = 0; i < facts.size(); ++i) {
      list.gpus.push_back(listed_gpu(facts[i], readings[i]));
    }
  }
  list.cpu = listed_cpu();
  list.cuda_problem = problem_of_cuda(!list.gpus.empty(), make_executor);
  return json ? device_json(list) : device_table(list);
}

} // namespace sdbench
