#pragma once

#include <cstdint>
#include <vector>

namespace sdbench {

/// The numbers from 0 to `count` - 1 in an order that depends on `seed` and `epoch`. `count` is at
/// most 2^32. The algorithm is the Fisher-Yates shuffle (Knuth, TAOCP 2, 3.4.2, algorithm P) with
/// random numbers from Philox (philox.h). Uses only integers, so the order is the same on every
/// machine.
[[nodiscard]] std::vector<std::int64_t> shuffled_order(std::int64_t count, std::uint64_t seed,
                                                       std::uint64_t epoch);

} // namespace sdbench
