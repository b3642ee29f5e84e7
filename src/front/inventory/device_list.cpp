#include "sdbench/front/inventory/device_list.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "device_blocks.h"
#include "sdbench/base/device/cuda_driver.h"
#include "sdbench/base/device/device_info.h"
#include "sdbench/base/device/device_kind_table.h"
#include "sdbench/base/device/gpu_architecture.h"
#include "sdbench/base/device/host.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/text/escape.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/front/telemetry/nvml_with_timeouts.h"

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

using OrderedJson = nlohmann::ordered_json;

template <typename Value>
OrderedJson or_null(const std::optional<Value>& value) {
  return value ? OrderedJson(*value) : OrderedJson();
}

OrderedJson text_or_null(const std::string& text) {
  return text.empty() ? OrderedJson() : OrderedJson(escape_text(text));
}

OrderedJson words(const std::string& text) {
  return text.empty() ? OrderedJson::array() : OrderedJson(split(text, ' '));
}

OrderedJson gpu_json(const ListedGpu& gpu) {
  const GpuFacts& facts = gpu.facts;
  const bool known = !gpu.generation.empty();
  return {
      {"kind", name_of(DeviceKind::kCuda)},
      {"index", facts.index},
      {"name", text_or_null(facts.name)},
      {"problem", text_or_null(facts.problem)},
      {"uuid", text_or_null(facts.uuid)},
      {"pci_address", text_or_null(facts.pci_address)},
      {"generation", text_or_null(gpu.generation)},
      {"compute_capability", text_or_null(gpu.compute_capability)},
      {"sm_count", or_null(gpu.sm_count)},
      {"tensor_core_generation", known ? OrderedJson(gpu.tensor_core_generation) : OrderedJson()},
      {"tensor_dtypes", known ? words(gpu.tensor_dtypes) : OrderedJson()},
      {"nominal_fp32_flops", or_null(gpu.fp32_flops)},
      {"nominal_fp16_flops", or_null(gpu.fp16_flops)},
      {"memory_total_bytes", or_null(facts.memory_total_bytes)},
      {"memory_free_bytes", or_null(facts.memory_free_bytes)},
      {"ecc", text_or_null(facts.ecc)},
      {"mig", text_or_null(facts.mig)},
      {"sm_clock_hz", or_null(gpu.now.sm_clock_hz)},
      {"max_sm_clock_hz", or_null(facts.max_sm_clock_hz)},
      {"memory_clock_hz", or_null(gpu.now.memory_clock_hz)},
      {"max_memory_clock_hz", or_null(facts.max_memory_clock_hz)},
      {"power_w", or_null(gpu.now.power_w)},
      {"power_limit_w", or_null(facts.power_limit_w)},
      {"temperature_c", or_null(gpu.now.temperature_c)},
      {"pcie_generation", or_null(facts.pcie_generation)},
      {"pcie_width", or_null(facts.pcie_width)},
      {"display_active", or_null(facts.display_active)},
      {"driver_version", text_or_null(facts.driver_version)},
      {"cuda_driver_version", text_or_null(facts.cuda_driver_version)}};
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
  return json ? device_json(list) : device_blocks(list);
}

std::string device_json(const DeviceList& list) {
  OrderedJson devices = mapped(list.gpus, gpu_json);
  const ListedCpu& cpu = list.cpu;
  devices.push_back({{"kind", name_of(cpu_kind())},
                     {"name", text_or_null(cpu.name)},
                     {"core_count", cpu.core_count},
                     {"instruction_sets", words(cpu.instruction_sets)},
                     {"memory_total_bytes", cpu.memory_total_bytes},
                     {"memory_free_bytes", cpu.memory_available_bytes},
                     {"cuda_problem", text_or_null(list.cuda_problem)}});
  return devices.dump(2) + "\n";
}

} // namespace sdbench
