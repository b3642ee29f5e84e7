#include "sdbench/cli/device_list.h"

#include <nlohmann/json.hpp>

#include "sdbench/core/escape.h"
#include "sdbench/core/number_text.h"
#include "sdbench/device/gpu_architecture.h"
#include "sdbench/device/host.h"
#include "sdbench/sink/units.h"
#include "sdbench/telemetry/nvml.h"

namespace sdbench {
namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr double kTera = 1e12;
constexpr double kMega = 1e6;

/// "1 of 2, 3 of 4" out of the parts that are not empty.
std::string joined(std::initializer_list<std::string> parts) {
  std::string text;
  for (const std::string& part : parts) {
    text += (text.empty() || part.empty() ? "" : ", ") + part;
  }
  return text;
}

std::string line(const std::string& name, const std::string& text) {
  constexpr std::size_t kWidth = 16;
  return text.empty() ? "" : "  " + name + std::string(kWidth - name.size(), ' ') + text + "\n";
}

std::string figure(const char* before, const std::optional<double>& value, double unit,
                   const char* after) {
  return value ? before + significant_text(*value / unit) + after : "";
}

/// "NAME now of MOST unit"; less where only one is known.
std::string of_most(const std::string& name, const std::optional<double>& now,
                    const std::optional<double>& most, double unit, const char* symbol) {
  if (!now && !most) {
    return "";
  }
  return name + (now ? significant_text(*now / unit) : "") + (now && most ? " of " : "") +
         (most ? (now ? "" : "at most ") + significant_text(*most / unit) : "") + symbol;
}

std::string compute_capability(const GpuFacts& facts) {
  return facts.compute_major == 0
             ? ""
             : std::to_string(facts.compute_major) + "." + std::to_string(facts.compute_minor);
}

std::string tensor_cores_text(const ListedGpu& gpu) {
  if (gpu.generation.empty()) {
    return "";
  }
  return gpu.tensor_core_generation == 0
             ? "none"
             : "generation " + std::to_string(gpu.tensor_core_generation) + ": " +
                   gpu.tensor_dtypes;
}

std::string memory_text(const GpuFacts& facts) {
  return joined({facts.memory_total_bytes ? bytes_text(*facts.memory_total_bytes) : "",
                 facts.memory_free_bytes ? bytes_text(*facts.memory_free_bytes) + " free" : "",
                 facts.ecc.empty() ? "" : "ECC " + facts.ecc,
                 facts.mig == "on" ? "split into instances (MIG)" : ""});
}

std::string pcie_text(const GpuFacts& facts) {
  return joined(
      {facts.pci_address,
       facts.pcie_generation ? "generation " + std::to_string(*facts.pcie_generation) : "",
       facts.pcie_width ? std::to_string(*facts.pcie_width) + " lanes" : ""});
}

std::string gpu_block(const ListedGpu& gpu) {
  const GpuFacts& facts = gpu.facts;
  const std::string capability = compute_capability(facts);
  const std::string clock = figure("at ", facts.max_sm_clock_hz, kMega, " MHz");
  std::string rates = joined(
      {figure("", gpu.fp32_flops, kTera, " TFLOPS fp32"),
       figure("", gpu.fp16_flops, kTera,
              gpu.tensor_core_generation > 0 ? " TFLOPS fp16 on tensor cores" : " TFLOPS fp16")});
  rates += rates.empty() ? "" : " " + clock;
  return "GPU " + std::to_string(facts.index) + "  " + one_line(facts.name) + "\n" +
         line("problem", one_line(facts.problem)) +
         line("architecture",
              joined({gpu.generation, capability.empty() ? "" : "compute capability " + capability,
                      gpu.sm_count ? counted(*gpu.sm_count, "SM") : ""})) +
         line("tensor cores", tensor_cores_text(gpu)) + line("nominal", rates) +
         line("memory", memory_text(facts)) +
         line("clocks",
              joined({of_most("SM ", gpu.now.sm_clock_hz, facts.max_sm_clock_hz, kMega, " MHz"),
                      of_most("memory ", gpu.now.memory_clock_hz, facts.max_memory_clock_hz, kMega,
                              " MHz")})) +
         line("power", joined({of_most("", gpu.now.power_w, facts.power_limit_w, 1, " W"),
                               figure("", gpu.now.temperature_c, 1, " degC")})) +
         line("driver", joined({one_line(facts.driver_version),
                                facts.cuda_driver_version.empty()
                                    ? ""
                                    : "CUDA up to " + facts.cuda_driver_version})) +
         line("PCI Express", pcie_text(facts)) + line("UUID", one_line(facts.uuid)) + "\n";
}

template <typename Value>
OrderedJson or_null(const std::optional<Value>& value) {
  return value ? OrderedJson(*value) : OrderedJson();
}

OrderedJson text_or_null(const std::string& text) {
  return text.empty() ? OrderedJson() : OrderedJson(escape_text(text));
}

OrderedJson words(const std::string& text) {
  OrderedJson list = OrderedJson::array();
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    list.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return list;
}

OrderedJson gpu_json(const ListedGpu& gpu) {
  const GpuFacts& facts = gpu.facts;
  const bool known = !gpu.generation.empty();
  return {
      {"kind", "cuda"},
      {"index", facts.index},
      {"name", text_or_null(facts.name)},
      {"problem", text_or_null(facts.problem)},
      {"uuid", text_or_null(facts.uuid)},
      {"pci_address", text_or_null(facts.pci_address)},
      {"generation", text_or_null(gpu.generation)},
      {"compute_capability", text_or_null(compute_capability(facts))},
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

std::string device_table(const std::vector<ListedGpu>& gpus, const ListedCpu& cpu,
                         const std::string& problem) {
  std::string text;
  for (const ListedGpu& gpu : gpus) {
    text += gpu_block(gpu);
  }
  if (gpus.size() > 1) {
    text += "Numbers are NVML's and nvidia-smi's. CUDA counts by speed unless "
            "CUDA_DEVICE_ORDER=PCI_BUS_ID is set.\n\n";
  }
  if (gpus.empty()) {
    text += "No NVIDIA GPU" + (problem.empty() ? "" : ": " + one_line(problem)) + "\n\n";
  }
  return text + "CPU    " + one_line(cpu.name) + "\n" +
         line("cores", std::to_string(cpu.core_count)) +
         line("instructions", cpu.instruction_sets) +
         line("memory", bytes_text(cpu.memory_total_bytes) + ", " +
                            bytes_text(cpu.memory_available_bytes) + " free");
}

std::string device_json(const std::vector<ListedGpu>& gpus, const ListedCpu& cpu) {
  OrderedJson list = OrderedJson::array();
  for (const ListedGpu& gpu : gpus) {
    list.push_back(gpu_json(gpu));
  }
  list.push_back({{"kind", "cpu"},
                  {"name", text_or_null(cpu.name)},
                  {"core_count", cpu.core_count},
                  {"instruction_sets", words(cpu.instruction_sets)},
                  {"memory_total_bytes", cpu.memory_total_bytes},
                  {"memory_free_bytes", cpu.memory_available_bytes}});
  return list.dump(2) + "\n";
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
