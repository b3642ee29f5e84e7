#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

#include "sdbench/front/results/result_table.h"

namespace sdbench {

/// A GPU's nominal rates, computed from its rows.
struct NominalPeak {
  double clock_hz = 0;   ///< the highest SM clock in its rows
  double fp32_flops = 0; ///< 2 x lanes x SMs x clock
  /// fp16 matrices with sums in fp32 (bf16 where the tensor cores have it); 0: no fp16
  double fp16_flops = 0;
  bool has_bf16 = false;
  double tf32_flops = 0; ///< fp32 matrices as TF32; 0: no TF32
};

/// By device_name, for GPUs whose rows have compute capability, SMs and a clock. Records lack the
/// maker's clock, so the highest measured one replaces it. Leaves out MIG instances, whose SMs are
/// not the card's.
[[nodiscard]] std::map<std::string, NominalPeak> nominal_peaks(const ResultTable& table);

/// A row's precision: its dtype_unet, or "tf32" if fp32 products used TF32, or "fp32, tf32
/// convolutions" if only convolutions did.
[[nodiscard]] std::string precision_of_row(const ResultTable& table, std::size_t row);

/// The peak for such a precision ("fp16", "autocast-bf16", …); 0 if there is no peak.
[[nodiscard]] double peak_for_precision(const NominalPeak& peak, std::string_view precision);

} // namespace sdbench
