#include "device_blocks.h"

#include <optional>

#include "sdbench/base/numbers/number_text.h"
#include "sdbench/base/numbers/units.h"
#include "sdbench/base/text/escape.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/front/telemetry/gpu_reading.h"

namespace sdbench {
namespace {

constexpr double kTera = 1e12;
constexpr double kMega = 1e6;

std::string line(const std::string& name, const std::string& text) {
  constexpr std::size_t kWidth = 16;
  return text.empty() ? "" : "  " + name + std::string(kWidth - name.size(), ' ') + text + "\n";
}

std::string figure(const char* before, const std::optional<double>& value, double unit,
                   const char* after) {
  return value ? before + significant_text(*value / unit) + after : "";
}

/// "NAME now of MOST unit", or shorter if only one of the two is known.
std::string of_most(const std::string& name, const std::optional<double>& now,
                    const std::optional<double>& most, double unit, const char* symbol) {
  if (!now && !most) {
    return "";
  }
  return name + (now ? significant_text(*now / unit) : "at most") + (now && most ? " of " : " ") +
         (most ? significant_text(*most / unit) + " " : "") + symbol;
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
       facts.pcie_width ? counted(*facts.pcie_width, "lane") : ""});
}

std::string gpu_block(const ListedGpu& gpu) {
  const GpuFacts& facts = gpu.facts;
  // A card does not reach its highest clock under such a load, so vendors state rates at a lower
  // one.
  const std::string clock =
      facts.max_sm_clock_hz ? "at the highest clock, " + clock_text(*facts.max_sm_clock_hz) : "";
  std::string rates = joined(
      {figure("", gpu.fp32_flops, kTera, " TFLOPS fp32"),
       figure("", gpu.fp16_flops, kTera,
              gpu.tensor_core_generation > 0 ? " TFLOPS fp16 with sums in fp32" : " TFLOPS fp16")});
  rates += rates.empty() ? "" : " " + clock;
  return "GPU " + std::to_string(facts.index) + "  " + one_line(facts.name) + "\n" +
         line("problem", one_line(facts.problem)) +
         line("architecture", joined({gpu.generation,
                                      gpu.compute_capability.empty()
                                          ? ""
                                          : "compute capability " + gpu.compute_capability,
                                      gpu.sm_count ? counted(*gpu.sm_count, "SM") : ""})) +
         line("tensor cores", tensor_cores_text(gpu)) + line("nominal", rates) +
         line("memory", memory_text(facts)) +
         line("clocks",
              joined({of_most("SM ", gpu.now.sm_clock_hz, facts.max_sm_clock_hz, kMega, "MHz"),
                      of_most("memory ", gpu.now.memory_clock_hz, facts.max_memory_clock_hz, kMega,
                              "MHz")})) +
         line("power", joined({of_most("", gpu.now.power_w, facts.power_limit_w, 1, "W"),
                               figure("", gpu.now.temperature_c, 1, " degC")})) +
         line("driver", joined({one_line(facts.driver_version),
                                facts.cuda_driver_version.empty()
                                    ? ""
                                    : "CUDA up to " + facts.cuda_driver_version})) +
         line("PCI Express", pcie_text(facts)) + line("UUID", one_line(facts.uuid)) + "\n";
}

} // namespace

std::string device_blocks(const DeviceList& list) {
  std::string text = joined(mapped(list.gpus, gpu_block), "");
  if (list.gpus.size() > 1) {
    text += "Numbers are NVML's and nvidia-smi's. CUDA counts by speed unless "
            "CUDA_DEVICE_ORDER=PCI_BUS_ID is set.\n\n";
  }
  if (list.gpus.empty()) {
    const std::string reason = one_line(list.nvml_problem);
    text += "No NVIDIA GPU" + (reason.empty() ? "" : ": " + reason) + "\n\n";
  }
  if (!list.cuda_problem.empty()) {
    text += "CUDA cannot be used: " + one_line(list.cuda_problem) + "\n\n";
  }
  const ListedCpu& cpu = list.cpu;
  return text + "CPU    " + one_line(cpu.name) + "\n" +
         line("cores", std::to_string(cpu.core_count)) +
         line("instructions", cpu.instruction_sets) +
         line("memory", bytes_text(cpu.memory_total_bytes) + ", " +
                            bytes_text(cpu.memory_available_bytes) + " free");
}

} // namespace sdbench
