#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

#include "sdbench/front/results/result_table.h"

namespace sdbench {

/// What a GPU is made to compute, from the rows that it wrote.
struct NominalPeak {
  double clock_hz = 0;   ///< the highest SM clock that any of its rows saw
  double fp32_flops = 0; ///< 2 x lanes x SMs x clock
  /// fp16 matrices with sums in fp32 (bf16 where the tensor cores have it); 0: no fp16
  double fp16_flops = 0;
  bool has_bf16 = false;
  double tf32_flops = 0; ///< fp32 matrices as TF32; 0: computes none so
};

/// By device_name, of the GPUs whose rows tell compute capability, SMs and a clock: a record has no
/// maker's clock, so the highest that was seen stands for it. Instances of a split GPU (MIG) have
/// none: their SMs are not the card's.
[[nodiscard]] std::map<std::string, NominalPeak> nominal_peaks(const ResultTable& table);

/// What a row's arithmetic is of: its dtype_unet, "tf32" where fp32 products were TF32's, or "fp32,
/// tf32 convolutions" where those of convolutions alone were.
[[nodiscard]] std::string precision_of_row(const ResultTable& table, std::size_t row);

/// The peak for such a precision ("fp16", "autocast-bf16", …); 0 where there is none.
[[nodiscard]] double peak_for_precision(const NominalPeak& peak, std::string_view precision);

} // namespace sdbench
