#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace sdbench {

/// What a GPU is, read once: everything that does not move while a cell runs. Empty: not told.
struct GpuFacts {
  std::size_t index = 0;   ///< in NVML's order, which is by PCI address
  std::string name;        ///< "NVIDIA H200"
  std::string uuid;        ///< "GPU-5c2c1f50-…"
  std::string pci_address; ///< "00000000:41:00.0"
  int compute_major = 0;   ///< of the compute capability; 0: not told
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
  std::optional<std::int64_t> pcie_width;      ///< lanes, likewise
  std::optional<bool> display_active;
  std::string driver_version;      ///< "580.65.06"
  std::string cuda_driver_version; ///< newest CUDA that the driver takes: "13.0"
  std::string problem;             ///< why it cannot be read, e.g. "GPU is lost"
};

/// One look at a GPU. Empty: a sensor that it does not have or that did not answer.
struct GpuReading {
  std::optional<double> load_percent;            ///< of the time in which any kernel ran
  std::optional<std::int64_t> memory_used_bytes; ///< by all processes
  /// What can still be had. Not total - used: whether the driver's own part counts as used differs
  /// between NVML's versions.
  std::optional<std::int64_t> memory_free_bytes;
  std::optional<double> power_w;
  std::optional<double> energy_j; ///< a counter that runs since the driver was loaded
  std::optional<double> temperature_c;
  std::optional<double> sm_clock_hz;
  std::optional<double> memory_clock_hz;
  std::optional<double> fan_percent;
  std::optional<std::int64_t> pcie_generation;   ///< of the link in force; falls when idle
  std::optional<std::int64_t> pcie_width;        ///< likewise, lanes
  std::optional<std::uint64_t> throttle_reasons; ///< bits; see throttle_reason_names
  /// Set if the GPU itself is gone: "GPU is lost". One sensor that fails is empty, no more.
  std::string problem;
};

/// Ids of the processes on a GPU, as NVML numbers them.
struct GpuProcessIds {
  std::vector<std::int64_t> computing;            ///< including those that also draw
  std::vector<std::int64_t> drawing;              ///< those that only draw
  std::map<std::int64_t, std::int64_t> instances; ///< of a split GPU: where each computes
};

/// Bits of GpuReading::throttle_reasons that say that heat or the power supply held the clocks
/// down.
inline constexpr std::uint64_t kThrottledBits = 0x8 | 0x20 | 0x40 | 0x80;
/// The bit that says that the power limit held the clocks down: usual under full load.
inline constexpr std::uint64_t kPowerCapBit = 0x4;

/// Names of the bits that are set, with blanks between: "sw_power_cap hw_thermal_slowdown"; "none"
/// where nothing holds the clocks down. An idle GPU's bit is no throttling and is left out; a bit
/// that this version does not know is its number: "0x200".
[[nodiscard]] std::string throttle_reason_names(std::uint64_t bits);

/// The GPU that CUDA names so: by its UUID, or if that is unknown to NVML (a MIG slice has one of
/// its own) by its PCI address. nullptr if it is not among them. Never by index: the orders differ.
[[nodiscard]] const GpuFacts* find_gpu(const std::vector<GpuFacts>& gpus, const std::string& uuid,
                                       const std::string& pci_address);

} // namespace sdbench
