#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace sdbench {

/// Number of four-word blocks that philox4x32() computes at once, to use whole vector registers.
inline constexpr std::size_t kPhiloxLanes = 32;

/// The results of one call of philox4x32(): word w of block l has the indices [w][l].
using PhiloxBlocks = std::array<std::array<std::uint32_t, kPhiloxLanes>, 4>;

/// The counter-based random generator Philox4x32-10, for kPhiloxLanes consecutive counters. Block l
/// has the counter words {low(first + l), high(first + l), low(stream), high(stream)}. Uses only
/// integers, so the result is the same on every machine. Uses AVX-512 if the processor supports it,
/// which reduces the time to a third. Source: Salmon et al., "Parallel random numbers: as easy as
/// 1, 2, 3", SC 2011.
void philox4x32(std::uint64_t key, std::uint64_t stream, std::uint64_t first, PhiloxBlocks& out);

/// philox4x32() for processors without AVX-512.
void philox4x32_portable(std::uint64_t key, std::uint64_t stream, std::uint64_t first,
                         PhiloxBlocks& out);

} // namespace sdbench
