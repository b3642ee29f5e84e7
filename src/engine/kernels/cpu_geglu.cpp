#include "sdbench/engine/kernels/cpu_geglu.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include "kit.h"

namespace sdbench {

using namespace kernels;

std::optional<CpuInstructions> cpu_geglu_instructions(const at::Tensor& both) {
  const bool fits = both.device().is_cpu() && both.dim() > 0 && both.numel() > 0 &&
                    both.is_contiguous() && both.size(-1) % (2 * kColumns) == 0;
  return fits ? cpu_instructions(both.scalar_type()) : std::nullopt;
}

at::Tensor cpu_geglu(const at::Tensor& both, CpuInstructions instructions) {
  constexpr std::int64_t kLeastValues = 8192; // for one thread
  const Kit& kit = kit_of(instructions);
  const std::int64_t inner = both.size(-1) / 2;
  const auto row_bytes = inner * static_cast<std::int64_t>(both.element_size());
  std::vector<std::int64_t> sizes = both.sizes().vec();
  sizes.back() = inner;
  at::Tensor out = at::empty(sizes, both.options());
  const auto* from = static_cast<const std::byte*>(both.const_data_ptr());
  auto* to = static_cast<std::byte*>(out.mutable_data_ptr());
  const std::int64_t rows_a_thread = std::max<std::int64_t>(kLeastValues / inner, 1);
  at::parallel_for(0, out.numel() / inner, rows_a_thread,
                   [&](std::int64_t begin, std::int64_t end) {
                     for (std::int64_t row = begin; row < end; ++row) {
                       const std::byte* values = from + 2 * row * row_bytes;
                       kit.gate({.values = values,
                                 .gates = values + row_bytes,
                                 .to = to + row * row_bytes,
                                 .count = inner});
                     }
                   });
  return out;
}

} // namespace sdbench
