#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace sdbench {

/// Facts of a GPU that do not change while a cell runs; read once. Empty: not reported.
struct GpuFacts {
  std::size_t index = 0;   ///< in NVML's order, which is by PCI address
  std::string name;        ///< "NVIDIA H200"
  std::string uuid;        ///< "GPU-5c2c1f50-…"
  std::string pci_address; ///< "00000000:41:00.0"
  int compute_major = 0;   ///< of the compute capability; 0: unknown
  int compute_minor = 0;
  std::optional<std::int64_t> core_count; ///< CUDA cores, all SMs together
  std::optional<std::int64_t> memory_total_bytes;
  std::optional<std::int64_t> memory_free_bytes; ///< now
  std::optional<double> max_sm_clock_hz;
  std::optional<double> max_memory_clock_hz;
  std::optional<double> power_limit_w;         ///< the one in force
  std::string ecc;                             ///< "on", "off", or empty: it has none
  std::string mig;                             ///< the same
  std::optional<std::int64_t> pcie_generation; ///< the highest that card and slot can do together
  std::optional<std::int64_t> pcie_width;      ///< most lanes of both together
  std::optional<bool> display_active;
  std::string driver_version;      ///< "580.65.06"
  std::string cuda_driver_version; ///< newest CUDA that the driver takes: "13.0"
  std::string problem;             ///< why it cannot be read, e.g. "GPU is lost"
};

/// One reading of a GPU's sensors. Empty: the sensor does not exist or did not answer.
struct GpuReading {
  std::optional<double> load_percent;            ///< of the time in which any kernel ran
  std::optional<std::int64_t> memory_used_bytes; ///< by all processes
  /// Memory that can still be allocated. Not total - used: NVML's versions differ on whether the
  /// driver's reserve counts as used.
  std::optional<std::int64_t> memory_free_bytes;
  std::optional<double> power_w;
  std::optional<double> energy_j; ///< a counter that runs since the driver was loaded
  std::optional<double> temperature_c;
  std::optional<double> sm_clock_hz;
  std::optional<double> memory_clock_hz;
  std::optional<double> fan_percent;
  std::optional<std::int64_t> pcie_generation;   ///< of the link in force; falls when idle
  std::optional<std::int64_t> pcie_width;        ///< lanes of the link in force
  std::optional<std::uint64_t> throttle_reasons; ///< bits; see throttle_reason_names
  /// Set if the GPU itself is gone: "GPU is lost". A single sensor that fails is only empty.
  std::string problem;
};

/// Ids of the processes on a GPU, as NVML numbers them.
struct GpuProcessIds {
  std::vector<std::int64_t> computing;            ///< including those that also draw
  std::vector<std::int64_t> drawing;              ///< those that only draw
  std::map<std::int64_t, std::int64_t> instances; ///< of a split GPU: where each computes
};

/// Bits of GpuReading::throttle_reasons for clocks reduced by heat or the power supply.
inline constexpr std::uint64_t kThrottledBits = 0x8 | 0x20 | 0x40 | 0x80;
/// The bit for clocks reduced by the power limit, which is usual under full load.
inline constexpr std::uint64_t kPowerCapBit = 0x4;

/// Names of the bits that are set, with blanks between: "sw_power_cap hw_thermal_slowdown"; "none"
/// if nothing reduces the clocks. The bit of an idle GPU is left out, because that is no
/// throttling. An unknown bit is given as its number: "0x200".
[[nodiscard]] std::string throttle_reason_names(std::uint64_t bits);

/// Finds the GPU that CUDA reports: by its UUID, or by its PCI address if NVML does not know the
/// UUID (a MIG slice has its own). nullptr if it is not in `gpus`. Never by index, because CUDA and
/// NVML order GPUs differently.
[[nodiscard]] const GpuFacts* find_gpu(const std::vector<GpuFacts>& gpus, const std::string& uuid,
                                       const std::string& pci_address);

} // namespace sdbench
