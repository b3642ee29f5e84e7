#pragma once

#include <map>
#include <string>

#include "sdbench/front/results/result_table.h"

namespace sdbench {

/// What a GPU is made to compute, from the rows that it wrote.
struct NominalPeak {
  double clock_hz = 0;   ///< the highest SM clock that any of its rows saw
  double fp32_flops = 0; ///< 2 x lanes x SMs x clock
  /// fp16 matrices with sums in fp32 (bf16 where the tensor cores have it); 0: no fp16
  double fp16_flops = 0;
  bool has_bf16 = false;
};

/// By device_name, of the GPUs whose rows tell compute capability, SMs and a clock: a record has no
/// maker's clock, so the highest that was seen stands for it. Instances of a split GPU (MIG) have
/// none: their SMs are not the card's.
[[nodiscard]] std::map<std::string, NominalPeak> nominal_peaks(const ResultTable& table);

/// The peak for a UNet of this dtype ("fp16", "autocast-bf16", …); 0 where there is none.
[[nodiscard]] double peak_for_dtype(const NominalPeak& peak, std::string_view dtype);

} // namespace sdbench
