#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sdbench/front/bench/executor_factory.h"
#include "sdbench/front/telemetry/gpu_sensors.h"

namespace sdbench {

/// One GPU as `sdbench list devices` shows it: facts from NVML, and what follows from them. Nominal
/// rates are operations per second at the highest clock that NVML reports, which exceeds the clock
/// of vendors' figures; empty: unknown.
struct ListedGpu {
  GpuFacts facts;
  GpuReading now;
  std::string compute_capability; ///< "9.0"; empty, as are all below, if the generation is unknown
  std::string generation;         ///< "Hopper"
  int tensor_core_generation = 0;
  std::string tensor_dtypes; ///< "fp16 bf16 …"; empty without tensor cores
  std::optional<std::int64_t> sm_count;
  std::optional<double> fp32_flops;
  std::optional<double> fp16_flops; ///< of matrices, on tensor cores if present
};
[[nodiscard]] ListedGpu listed_gpu(const GpuFacts& facts, const GpuReading& now);

/// The processor.
struct ListedCpu {
  std::string name;
  std::int64_t core_count = 0; ///< usable cores
  std::string instruction_sets;
  std::int64_t memory_total_bytes = 0;
  std::int64_t memory_available_bytes = 0;
};
[[nodiscard]] ListedCpu listed_cpu();

/// The data of `sdbench list devices`.
struct DeviceList {
  std::vector<ListedGpu> gpus;
  ListedCpu cpu;
  std::string nvml_problem; ///< why NVML is unavailable
  std::string cuda_problem; ///< why CUDA can use no GPU; empty if it can, or there is no driver
};

/// The list for this machine, as a table for people or as JSON. If there is a driver, starts a
/// worker to learn if its CUDA can use it.
[[nodiscard]] std::string device_list_text(bool json, const ExecutorFactory& make_executor);

/// An array of objects, in SI units. Unknown values are null. CUDA's problem is a member of the
/// processor, which computes instead.
[[nodiscard]] std::string device_json(const DeviceList& list);

} // namespace sdbench
