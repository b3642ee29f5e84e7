#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

#include "sdbench/front/results/result_table.h"

namespace sdbench {

/// A GPU's nominal peak rates, computed from its rows' compute capability, SM count and clocks.
struct NominalPeak {
  double clock_hz = 0;   ///< the highest SM clock in its rows
  double fp32_flops = 0; ///< 2 x FP32 lanes per SM x SMs x clock
  /// Rate of fp16 matrix products with fp32 accumulation; bf16 has the same rate if has_bf16. 0:
  /// the GPU has no fp16.
  double fp16_flops = 0;
  /// The same with fp16 accumulation, which GeForce cards compute twice as fast.
  double fp16_sums_flops = 0;
  bool has_bf16 = false;
  double tf32_flops = 0; ///< rate of fp32 matrix products computed in TF32; 0: no TF32
};

/// The peaks by device_name, for GPUs whose rows have compute capability, number of SMs and a
/// clock. Records do not contain the maker's clock, so the highest measured clock replaces it. MIG
/// instances are left out, because they have only some of the card's SMs.
[[nodiscard]] std::map<std::string, NominalPeak> nominal_peaks(const ResultTable& table);

/// A row's precision: its dtype_unet, but for fp32 it is "tf32" if matrix products used TF32,
/// and "fp32, tf32 convolutions" if only convolutions did. "fp16, fp16 accumulation" if the GPU
/// summed in fp16.
[[nodiscard]] std::string precision_of_row(const ResultTable& table, std::size_t row);

/// The peak rate, in FLOP/s, for a result of precision_of_row() ("fp16", "autocast-bf16", …). 0 if
/// the GPU has no peak for it.
[[nodiscard]] double peak_for_precision(const NominalPeak& peak, std::string_view precision);

} // namespace sdbench
