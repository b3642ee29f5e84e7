#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

#include "sdbench/base/types/dtype.h"

namespace sdbench {

/// A function that fills the chunks [begin, end) of a tensor.
using FillChunks = std::function<void(std::size_t begin, std::size_t end)>;
/// A function that calls `fill` for ranges that together cover [0, count), in any order and on any
/// threads. It returns when all calls are done.
using InParts = std::function<void(std::size_t count, const FillChunks& fill)>;
/// An InParts that calls `fill` once, on the calling thread.
void in_one_part(std::size_t count, const FillChunks& fill);

/// Fills `out` with synthetic weights. The bits are the same for every machine, number of threads,
/// compiler and libtorch. Philox4x32-10 (philox.h) generates 16-bit integers; its key is the FNV-1a
/// hash of "component/name", and its counter contains the seed. Each integer is multiplied by a
/// factor, an offset is added (both fp32, synthetic_scale.h), and the result is rounded to `dtype`:
/// to the nearest value, ties to even. All these operations have exactly defined results, those in
/// fp32 by IEEE 754. `out`: the elements of the whole tensor, row-major. `dtype`: fp32, fp16 or
/// bf16. `in_parts` divides the work; a chunk has 256 elements. Throws Error for another dtype, or
/// if `out` does not have the tensor's size.
void fill_synthetic(std::uint64_t seed, std::string_view component, std::string_view name,
                    std::span<const std::int64_t> shape, Dtype dtype, std::span<std::byte> out,
                    const InParts& in_parts = in_one_part);

} // namespace sdbench
