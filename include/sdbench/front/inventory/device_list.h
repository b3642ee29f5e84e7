#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sdbench/front/bench/worker_process.h"
#include "sdbench/front/telemetry/gpu_reading.h"

namespace sdbench {

/// One GPU as `sdbench list devices` shows it: facts from NVML, and values derived from them.
/// Nominal rates are operations per second at the highest clock that NVML reports. Vendors' figures
/// assume a lower clock. Empty values are unknown.
struct ListedGpu {
  GpuFacts facts;
  GpuReading now;
  /// "9.0". This field and all below are empty if the GPU's generation is unknown.
  std::string compute_capability;
  std::string generation; ///< "Hopper"
  int tensor_core_generation = 0;
  std::string tensor_dtypes; ///< "fp16 bf16 …"; empty without tensor cores
  std::optional<std::int64_t> sm_count;
  std::optional<double> fp32_flops;
  std::optional<double> fp16_flops; ///< matrix products, on tensor cores if present
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
  std::string cuda_problem; ///< why CUDA cannot use a GPU; empty if it can, or if no driver exists
};

/// The list for this machine, as a table for people or as JSON. If a CUDA driver is installed,
/// starts a worker to check whether libtorch's CUDA works with that driver.
[[nodiscard]] std::string device_list_text(bool json, const ExecutorFactory& make_executor);

/// A JSON array with one object for each device, in SI units. Unknown values are null. cuda_problem
/// is a member of the processor's object, because cells run on the processor if CUDA has a problem.
[[nodiscard]] std::string device_json(const DeviceList& list);

} // namespace sdbench
