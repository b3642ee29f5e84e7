#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace sdbench {

/// Facts about an NVIDIA GPU that follow from its compute capability, independent of the card.
/// Rates are operations of one SM in one clock, without sparsity; a multiply-accumulate counts as
/// two. Sources: the CUDA C++ programming guide (lanes and arithmetic throughput by compute
/// capability) and the architectures' white papers (tensor cores).
struct GpuArchitecture {
  int major = 0;
  int minor = 0;
  std::string_view generation;    ///< "Turing"
  int tensor_core_generation = 0; ///< 0: none
  std::string_view
      tensor_dtypes; ///< number formats that the tensor cores multiply, separated by blanks
  std::int64_t fp32_lanes_per_sm = 0;
  /// The fastest way of multiplying fp16 matrices that libtorch uses: tensor cores if there are
  /// any, summing in fp32. 0: the hardware does not compute in fp16.
  std::int64_t fp16_flop_per_sm_clock = 0;
};

/// The row of a compute capability, or of the nearest lower one of the same major version. nullopt
/// for an unknown major version. `name` distinguishes what the compute capability does not: the
/// small Turing chips (GTX 16xx and relatives) have no tensor cores, and those of GeForce cards sum
/// in fp32 at half the rate of workstation and server cards.
[[nodiscard]] std::optional<GpuArchitecture> gpu_architecture(int major, int minor,
                                                              std::string_view name = {});

/// NVIDIA's generation name for a compute capability: (7, 5) -> "Turing". Unknown ones give
/// "unknown".
[[nodiscard]] std::string_view gpu_generation(int major, int minor);

/// Nominal rates in operations a second: 2 x lanes x SMs x clock, and the same for fp16 matrices.
[[nodiscard]] double nominal_fp32_flops(const GpuArchitecture& architecture, std::int64_t sm_count,
                                        double clock_hz);
[[nodiscard]] double nominal_fp16_flops(const GpuArchitecture& architecture, std::int64_t sm_count,
                                        double clock_hz);

} // namespace sdbench
