#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sdbench {

/// Properties of a GPU that do not change while a cell runs, so they are read once. A value is
/// empty if it was not reported.
struct GpuFacts {
  std::size_t index = 0;   ///< in NVML's order, which follows PCI addresses
  std::string name;        ///< "NVIDIA H200"
  std::string uuid;        ///< "GPU-5c2c1f50-…"
  std::string pci_address; ///< "00000000:41:00.0"
  int compute_major = 0;   ///< first number of the compute capability; 0: unknown
  int compute_minor = 0;
  std::optional<std::int64_t> core_count; ///< CUDA cores, all SMs together
  std::optional<std::int64_t> memory_total_bytes;
  std::optional<std::int64_t> memory_free_bytes; ///< free memory at the time of reading
  std::optional<double> max_sm_clock_hz;
  std::optional<double> max_memory_clock_hz;
  std::optional<double> power_limit_w;         ///< the limit in force
  std::string ecc;                             ///< "on", "off", or empty: the GPU has no ECC
  std::string mig;                             ///< "on", "off", or empty: the GPU has no MIG
  std::optional<std::int64_t> pcie_generation; ///< highest that both card and slot support
  std::optional<std::int64_t> pcie_width;      ///< most lanes that both card and slot support
  std::optional<bool> display_active;
  std::string vbios_version;              ///< "96.00.5E.00.01"
  std::string board_id;                   ///< PCI subsystem, maker and board: "1458:4074"
  std::string board_vendor;               ///< the maker's name
  std::optional<std::int64_t> bar1_bytes; ///< part of the memory that the processor can address
  std::optional<double> power_limit_default_w;
  std::optional<double> power_limit_least_w; ///< least and greatest limit that can be set
  std::optional<double> power_limit_greatest_w;
  std::string kernel_module;    ///< the driver's: "open" or "closed"
  std::string persistence_mode; ///< "on" or "off"
  std::string virtualisation;   ///< "none", "passthrough", "vgpu", "host_vgpu" or "host_vsga"
  std::string external_link;    ///< "thunderbolt", "external", or empty: not known to be external
  std::string driver_version;   ///< "580.65.06"
  std::string cuda_driver_version; ///< newest CUDA version that the driver supports: "13.0"
  std::string problem;             ///< why the GPU cannot be read: "GPU is lost"
};

/// Value of GpuFacts::virtualisation for a part of a card that a virtual machine has.
inline constexpr const char* kVgpu = "vgpu";

/// True if the GPU is a part of a card (a MIG instance or a vGPU), and the sensors may be those of
/// the whole card.
[[nodiscard]] bool is_part_of_card(const GpuFacts& gpu);

/// One reading of a GPU's sensors. An empty value means that the sensor does not exist or did not
/// answer.
struct GpuReading {
  std::optional<double> load_percent;            ///< share of time during which any kernel ran
  std::optional<std::int64_t> memory_used_bytes; ///< memory in use by all processes
  /// Memory that can still be allocated. It is not computed as total minus used, because NVML
  /// versions differ on whether the driver's reserve counts as used.
  std::optional<std::int64_t> memory_free_bytes;
  std::optional<double> power_w;
  std::optional<double> energy_j; ///< energy used since the driver was loaded
  std::optional<double> temperature_c;
  std::optional<double> sm_clock_hz;
  std::optional<double> memory_clock_hz;
  std::optional<double> fan_percent;
  /// PCIe generation that the link uses now; lower when the GPU is idle.
  std::optional<std::int64_t> pcie_generation;
  std::optional<std::int64_t> pcie_width;        ///< number of lanes that the link uses now
  std::optional<std::uint64_t> throttle_reasons; ///< bit mask, see throttle_reason_names()
  /// Transfers over PCIe that the link repeated, counted by the driver since it was loaded.
  std::optional<std::int64_t> pcie_replays;
  /// Number of Xids (errors that the driver reports) since NVML was opened.
  std::optional<std::int64_t> xid_count;
  std::optional<std::int64_t> xid_last; ///< NVIDIA's number of the latest one
  /// Set if the GPU as a whole no longer answers: "GPU is lost". If only a single sensor fails,
  /// just its value is empty.
  std::string problem;
};

/// Ids of the processes on a GPU, as reported by NVML.
struct GpuProcessIds {
  std::vector<std::int64_t> computing; ///< processes that compute; they may also render graphics
  std::vector<std::int64_t> drawing;   ///< processes that only render graphics
  /// MIG instance on which a process computes, by process id; empty if MIG is off.
  std::map<std::int64_t, std::int64_t> instances;
};

/// Flags of a row during whose cell the GPU as a whole failed, or its driver reported an error.
inline constexpr std::string_view kGpuLost = "gpu_lost";
inline constexpr std::string_view kXid = "xid";

/// Bits of GpuReading::throttle_reasons that mean that heat or the power supply reduced the clocks.
inline constexpr std::uint64_t kThrottledBits = 0x8 | 0x20 | 0x40 | 0x80;
/// The bit that means that the power limit reduced the clocks, which is usual under full load.
inline constexpr std::uint64_t kPowerCapBit = 0x4;

/// Names of the bits that are set, separated by blanks: "sw_power_cap hw_thermal_slowdown". "none"
/// if nothing reduces the clocks. The bit that marks an idle GPU is left out, because idling
/// is no throttling. An unknown bit appears as its number: "0x200".
[[nodiscard]] std::string throttle_reason_names(std::uint64_t bits);

/// Finds the entry for a GPU that CUDA reports. Searches by UUID, or by PCI address if NVML does
/// not know the UUID (a MIG instance has its own). nullptr if `gpus` does not contain it. An index
/// is never used, because CUDA and NVML order GPUs differently.
[[nodiscard]] const GpuFacts* find_gpu(const std::vector<GpuFacts>& gpus, const std::string& uuid,
                                       const std::string& pci_address);

} // namespace sdbench
