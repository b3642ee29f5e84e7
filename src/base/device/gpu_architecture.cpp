#include "sdbench/base/device/gpu_architecture.h"

#include <algorithm>
#include <array>

#include "sdbench/base/text/listed.h"

namespace sdbench {
namespace {

constexpr std::int64_t kFlopPerLane = 2; // a multiply-accumulate

// Ordered by compute capability. The last figure is for cards that are not GeForce.
// clang-format off
constexpr GpuArchitecture kArchitectures[] = {
    {3, 0, "Kepler",       0, "",                                        192, 0},
    {5, 0, "Maxwell",      0, "",                                        128, 0},
    {6, 0, "Pascal",       0, "",                                        64,  256},
    {6, 1, "Pascal",       0, "",                                        128, 4},
    {7, 0, "Volta",        1, "fp16",                                    64,  1024},
    {7, 5, "Turing",       2, "fp16 int8 int4 int1",                     64,  1024},
    {8, 0, "Ampere",       3, "fp16 bf16 tf32 fp64 int8 int4 int1",      64,  2048},
    {8, 6, "Ampere",       3, "fp16 bf16 tf32 int8 int4 int1",           128, 1024},
    {8, 7, "Ampere",       3, "fp16 bf16 tf32 int8 int4 int1",           128, 2048},
    {8, 9, "Ada Lovelace", 4, "fp16 bf16 tf32 fp8 int8 int4 int1",       128, 1024},
    {9, 0, "Hopper",       4, "fp16 bf16 tf32 fp64 fp8 int8",            128, 4096},
    {10, 0, "Blackwell",   5, "fp16 bf16 tf32 fp64 fp8 fp6 fp4 int8",    128, 8192},
    {11, 0, "Blackwell",   5, "fp16 bf16 tf32 fp8 fp6 fp4 int8",         128, 8192},
    {12, 0, "Blackwell",   5, "fp16 bf16 tf32 fp8 fp6 fp4 int8",         128, 1024},
};
// clang-format on

/// Turing's small chips, TU116 and TU117: "GTX 1660 Ti", "MX450", "T1000", "Quadro T2000". They
/// compute fp16 at twice the rate of fp32, without tensor cores.
constexpr GpuArchitecture kSmallTuring = {7, 5, "Turing", 0, "", 64, 256};

bool is_small_turing(std::string_view name) {
  constexpr std::array kWords{"MX450", "MX550", "T400",  "T500",  "T550",
                              "T600",  "T1000", "T1200", "T2000", "30HX"};
  std::string_view before;
  for (const std::string_view word : split(name, ' ')) {
    if (std::ranges::find(kWords, word) != kWords.end() ||
        (before == "GTX" && word.starts_with("16"))) {
      return true;
    }
    before = word;
  }
  return false;
}

/// True for tensor cores that sum in fp32 at half rate: GeForce RTX 20xx to 50xx, and by its data
/// sheet the L40 (the L40S has the full rate).
bool sums_at_half_rate(std::string_view name) {
  return name.find("GeForce") != std::string_view::npos || name.ends_with(" L40");
}

} // namespace

std::optional<GpuArchitecture> gpu_architecture(int major, int minor, std::string_view name) {
  std::optional<GpuArchitecture> nearest;
  for (const GpuArchitecture& row : kArchitectures) {
    if (row.major == major && row.minor <= minor) {
      nearest = row;
    }
  }
  if (nearest && nearest->major == 7 && nearest->minor == 5 && is_small_turing(name)) {
    return kSmallTuring;
  }
  if (nearest && nearest->tensor_core_generation > 0 && sums_at_half_rate(name)) {
    nearest->fp16_flop_per_sm_clock /= 2;
  }
  return nearest;
}

std::string_view gpu_generation(int major, int minor) {
  const auto architecture = gpu_architecture(major, minor);
  return architecture ? architecture->generation : "unknown";
}

double nominal_fp32_flops(const GpuArchitecture& architecture, std::int64_t sm_count,
                          double clock_hz) {
  return static_cast<double>(kFlopPerLane * architecture.fp32_lanes_per_sm * sm_count) * clock_hz;
}

double nominal_fp16_flops(const GpuArchitecture& architecture, std::int64_t sm_count,
                          double clock_hz) {
  return static_cast<double>(architecture.fp16_flop_per_sm_clock * sm_count) * clock_hz;
}

} // namespace sdbench
