#include "sdbench/weights/philox.h"

namespace sdbench {
namespace {

constexpr std::uint32_t kMultiplier0 = 0xD2511F53;
constexpr std::uint32_t kMultiplier1 = 0xCD9E8D57;
constexpr std::uint32_t kWeyl0 = 0x9E3779B9;
constexpr std::uint32_t kWeyl1 = 0xBB67AE85;
constexpr std::uint32_t kRounds = 10;

constexpr std::uint32_t low(std::uint64_t x) {
  return static_cast<std::uint32_t>(x);
}
constexpr std::uint32_t high(std::uint64_t x) {
  return static_cast<std::uint32_t>(x >> 32);
}

} // namespace

void philox4x32(std::uint64_t key, std::uint64_t stream, std::uint64_t first, PhiloxBlocks& out) {
  // One lane's ten rounds stay in registers; the compiler vectorises over the lanes.
  for (std::size_t l = 0; l < kPhiloxLanes; ++l) {
    std::uint32_t x0 = low(first + l);
    std::uint32_t x1 = high(first + l);
    std::uint32_t x2 = low(stream);
    std::uint32_t x3 = high(stream);
    for (std::uint32_t round = 0; round < kRounds; ++round) {
      const std::uint64_t product0 = std::uint64_t{kMultiplier0} * x0;
      const std::uint64_t product1 = std::uint64_t{kMultiplier1} * x2;
      x0 = high(product1) ^ x1 ^ (low(key) + round * kWeyl0);
      x2 = high(product0) ^ x3 ^ (high(key) + round * kWeyl1);
      x1 = low(product1);
      x3 = low(product0);
    }
    out[0][l] = x0;
    out[1][l] = x1;
    out[2][l] = x2;
    out[3][l] = x3;
  }
}

} // namespace sdbench
