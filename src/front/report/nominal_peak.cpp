#include "sdbench/front/report/nominal_peak.h"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "sdbench/base/device/device_kind_table.h"
#include "sdbench/base/device/gpu_architecture.h"
#include "sdbench/base/numbers/number_text.h"
#include "sdbench/front/record/run_record.h"

namespace sdbench {
namespace {

/// Facts about a GPU from its rows.
struct GpuInRows {
  std::string compute_capability;
  double sm_count = 0;
  double clock_hz = 0;
};

constexpr double kMostSms = 1e4; ///< rows with more are not believed
constexpr double kMostClock = 1e11;
constexpr std::string_view kFp16Sums = ", fp16 accumulation"; ///< end of a row's precision
constexpr double kFp16ByTf32 = 2; ///< for all tensor cores that have both, with sums in fp32

std::optional<GpuArchitecture> architecture_of(const std::string& capability,
                                               const std::string& name) {
  const std::size_t point = std::min(capability.find('.'), capability.size());
  const auto major = parse_integer(std::string_view(capability).substr(0, point));
  const auto minor = point < capability.size()
                         ? parse_integer(std::string_view(capability).substr(point + 1))
                         : std::nullopt;
  if (!major || !minor || *major < 1 || *major > 99 || *minor < 0 || *minor > 99) {
    return std::nullopt;
  }
  return gpu_architecture(static_cast<int>(*major), static_cast<int>(*minor), name);
}

std::map<std::string, GpuInRows> gpus_in_rows(const ResultTable& table) {
  std::map<std::string, GpuInRows> gpus;
  for (std::size_t row = 0; row < table.size(); ++row) {
    if (table.text(row, "mig") == "on" || table.text(row, "parallel_role") == kRoleSum ||
        table.text(row, "compute_capability").empty()) { // NVIDIA's alone have one
      continue;
    }
    GpuInRows& gpu = gpus[std::string(table.text(row, "device_name"))];
    gpu.compute_capability = table.text(row, "compute_capability");
    gpu.sm_count = std::max(gpu.sm_count, table.number(row, "sm_count").value_or(0));
    gpu.clock_hz = std::max(gpu.clock_hz, table.number(row, "sm_clock_hz_max").value_or(0));
  }
  return gpus;
}

} // namespace

std::map<std::string, NominalPeak> nominal_peaks(const ResultTable& table) {
  std::map<std::string, NominalPeak> peaks;
  for (const auto& [name, gpu] : gpus_in_rows(table)) {
    const auto architecture = architecture_of(gpu.compute_capability, name);
    const bool believable = gpu.sm_count >= 1 && gpu.sm_count <= kMostSms && gpu.clock_hz > 0 &&
                            gpu.clock_hz <= kMostClock;
    if (!architecture || !believable) {
      continue;
    }
    const auto sms = static_cast<std::int64_t>(gpu.sm_count);
    const auto multiplies = [&](std::string_view dtype) {
      return architecture->tensor_dtypes.find(dtype) != std::string_view::npos;
    };
    const double fp16_flops = nominal_fp16_flops(*architecture, sms, gpu.clock_hz);
    // Without a name, the architecture is that of cards that sum in fp32 at the full rate.
    const auto of_full_rate = architecture_of(gpu.compute_capability, "");
    peaks[name] = {.clock_hz = gpu.clock_hz,
                   .fp32_flops = nominal_fp32_flops(*architecture, sms, gpu.clock_hz),
                   .fp16_flops = fp16_flops,
                   .fp16_sums_flops = architecture->tensor_core_generation > 0
                                          ? nominal_fp16_flops(*of_full_rate, sms, gpu.clock_hz)
                                          : fp16_flops,
                   .has_bf16 = multiplies("bf16"),
                   .tf32_flops = multiplies("tf32") ? fp16_flops / kFp16ByTf32 : 0};
  }
  return peaks;
}

std::string precision_of_row(const ResultTable& table, std::size_t row) {
  std::string dtype(table.text(row, "dtype_unet"));
  if (table.text(row, "fp16_accumulation") == "on") {
    return dtype + std::string(kFp16Sums);
  }
  const std::string_view used = table.text(row, "tf32_used");
  const std::string_view tf32 = used.empty() ? table.text(row, "tf32") : used; // else as asked
  if (dtype != "fp32" || !is_gpu_of_torch(device_kind_named(table.text(row, "device_kind"))) ||
      tf32.empty() || tf32 == "off") {
    return dtype;
  }
  return tf32 == "conv" ? "fp32, tf32 convolutions" : "tf32";
}

double peak_for_precision(const NominalPeak& peak, std::string_view precision) {
  if (precision.ends_with(kFp16Sums)) {
    return peak.fp16_sums_flops;
  }
  if (precision == "fp32") {
    return peak.fp32_flops;
  }
  if (precision == "tf32") {
    return peak.tf32_flops;
  }
  if (precision.ends_with("bf16")) {
    return peak.has_bf16 ? peak.fp16_flops : 0;
  }
  return precision.ends_with("fp16") ? peak.fp16_flops : 0;
}

} // namespace sdbench
