#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "sdbench/core/dtype.h"

namespace sdbench {

/// Synthetic weights: the same bits on every machine, thread count, compiler and libtorch. Philox4x32-10 keyed by the seed and
/// a hash of "component/tensor name"; values are small integers times one fp32 factor (sqrt and multiplication are exact in
/// IEEE 754), then rounded to nearest even to the dtype. The factor keeps activations near unit variance through the network.
/// `out` holds the elements of the whole tensor in row-major order; `dtype` is fp32, fp16 or bf16.
void fill_synthetic(std::uint64_t seed, std::string_view component, std::string_view name,
                    std::span<const std::int64_t> shape, Dtype dtype, std::span<std::byte> out,
                    int thread_count);

} // namespace sdbench
