#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

#include "sdbench/base/types/dtype.h"

namespace sdbench {

/// Fills the chunks [begin, end).
using FillChunks = std::function<void(std::size_t begin, std::size_t end)>;
/// Calls `fill` for ranges that cover [0, count), in any order and on any threads; returns when all
/// calls are done.
using InParts = std::function<void(std::size_t count, const FillChunks& fill)>;
/// Makes a single call, on the calling thread.
void in_one_part(std::size_t count, const FillChunks& fill);

/// Synthetic weights: the same bits on every machine, thread count, compiler and libtorch.
/// Philox4x32-10 (philox.h) gives 16-bit integers; its key is FNV-1a of "component/name", and its
/// counter contains the seed. Each integer is multiplied by one fp32 factor (synthetic_scale.h),
/// and the product is rounded to nearest even to the dtype. All of it is exact IEEE 754 arithmetic:
/// integers, sqrt, single multiplications. `out`: the elements of the whole tensor, row-major.
/// `dtype`: fp32, fp16 or bf16. `in_parts` gets chunks of 256 elements. Throws Error for another
/// dtype or a buffer of another size.
void fill_synthetic(std::uint64_t seed, std::string_view component, std::string_view name,
                    std::span<const std::int64_t> shape, Dtype dtype, std::span<std::byte> out,
                    const InParts& in_parts = in_one_part);

} // namespace sdbench
