#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace sdbench {

/// Properties of an NVIDIA GPU that follow from its compute capability, independent of the card.
/// Rates are operations per SM (streaming multiprocessor) and clock cycle, without sparsity; a
/// multiply-accumulate counts as two operations. Sources: the CUDA C++ programming guide (lanes and
/// arithmetic throughput by compute capability) and the architectures' white papers (tensor cores).
struct GpuArchitecture {
  int major = 0;
  int minor = 0;
  std::string_view generation;    ///< "Turing"
  int tensor_core_generation = 0; ///< generation of the tensor cores; 0: no tensor cores
  /// Number formats that the tensor cores can multiply, separated by spaces.
  std::string_view tensor_dtypes;
  /// Number of fp32 lanes (CUDA cores) per SM.
  std::int64_t fp32_lanes_per_sm = 0;
  /// Rate of the fastest fp16 matrix multiplication that libtorch uses. It runs on tensor cores if
  /// there are any; these accumulate in fp32. 0: the hardware does not compute in fp16.
  std::int64_t fp16_flop_per_sm_clock = 0;
};

/// The properties for a compute capability, or for the nearest lower one of the same major version.
/// nullopt for an unknown major version. `name`: the GPU's name, which distinguishes cards with the
/// same compute capability. The small Turing chips (GTX 16xx and relatives) have no tensor cores.
/// Tensor cores of GeForce cards sum in fp32 at half the rate of workstation and server cards.
[[nodiscard]] std::optional<GpuArchitecture> gpu_architecture(int major, int minor,
                                                              std::string_view name = {});

/// NVIDIA's name of the GPU generation with this compute capability: "Turing" for 7.5; "unknown"
/// for an unknown capability.
[[nodiscard]] std::string_view gpu_generation(int major, int minor);

/// Nominal fp32 rate in operations per second: 2 x lanes x SMs x clock rate.
[[nodiscard]] double nominal_fp32_flops(const GpuArchitecture& architecture, std::int64_t sm_count,
                                        double clock_hz);
/// Nominal rate of fp16 matrix multiplication in operations per second.
[[nodiscard]] double nominal_fp16_flops(const GpuArchitecture& architecture, std::int64_t sm_count,
                                        double clock_hz);

} // namespace sdbench
