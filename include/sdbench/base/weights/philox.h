#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace sdbench {

/// Blocks computed side by side, so that they fill vector registers.
inline constexpr std::size_t kPhiloxLanes = 32;

/// Word w of block l is words[w][l].
using PhiloxBlocks = std::array<std::array<std::uint32_t, kPhiloxLanes>, 4>;

/// Philox4x32-10 for kPhiloxLanes consecutive counters: block l has the counter words {low(first +
/// l), high(first + l), low(stream), high(stream)}. Uses only integers, so the result is the same
/// on every machine. AVX-512, if the processor has it, needs a third of the time. Salmon et al.,
/// "Parallel random numbers: as easy as 1, 2, 3", SC 2011.
void philox4x32(std::uint64_t key, std::uint64_t stream, std::uint64_t first, PhiloxBlocks& out);

/// The same without special instructions, for other processors.
void philox4x32_portable(std::uint64_t key, std::uint64_t stream, std::uint64_t first,
                         PhiloxBlocks& out);

} // namespace sdbench
