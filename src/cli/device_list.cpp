#include "sdbench/cli/device_list.h"

#include "sdbench/cli/device_json.h"
#include "sdbench/cli/device_table.h"
#include "sdbench/device/gpu_architecture.h"
#include "sdbench/device/host.h"
#include "sdbench/telemetry/nvml.h"

namespace sdbench {

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

std::string device_list_text(bool json) {
  std::string problem;
  std::vector<ListedGpu> gpus;
  if (const auto nvml = open_nvml(problem)) {
    const std::vector<GpuFacts> facts = nvml->facts();
    const std::vector<GpuReading> readings = nvml->read();
    for (std::size_t i = 0; i < facts.size(); ++i) {
      gpus.push_back(listed_gpu(facts[i], readings[i]));
    }
  }
  return json ? device_json(gpus, listed_cpu()) : device_table(gpus, listed_cpu(), problem);
}

} // namespace sdbench
