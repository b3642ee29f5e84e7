#include "sdbench/base/weights/philox.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

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

#if defined(__x86_64__)

#pragma GCC diagnostic push
#if !defined(__clang__)
#pragma GCC diagnostic ignored "-Wuninitialized" // GCC 12 warns about its own header
#endif

/// Each word is in the lower half of 64 bits, so that multiplying two needs no shuffles. The next
/// product ignores the upper half.
__attribute__((target("avx512f"))) void philox4x32_avx512(std::uint64_t key, std::uint64_t stream,
                                                          std::uint64_t first, PhiloxBlocks& out) {
  constexpr std::size_t kWords = 8;                       // of a vector
  constexpr std::size_t kVectors = kPhiloxLanes / kWords; // several hide the products' latency
  static_assert(kPhiloxLanes % kWords == 0);
  constexpr int kXorOfThree = 0x96;
  const __m512i multiplier0 = _mm512_set1_epi64(kMultiplier0);
  const __m512i multiplier1 = _mm512_set1_epi64(kMultiplier1);
  const __m512i counts = _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0);
  __m512i x[4][kVectors];
  for (std::size_t v = 0; v < kVectors; ++v) {
    const auto start = static_cast<long long>(first + v * kWords);
    x[0][v] = _mm512_add_epi64(_mm512_set1_epi64(start), counts);
    x[1][v] = _mm512_srli_epi64(x[0][v], 32);
    x[2][v] = _mm512_set1_epi64(low(stream));
    x[3][v] = _mm512_set1_epi64(high(stream));
  }
  for (std::uint32_t round = 0; round < kRounds; ++round) {
    const __m512i key0 = _mm512_set1_epi64(low(key) + round * kWeyl0);
    const __m512i key1 = _mm512_set1_epi64(high(key) + round * kWeyl1);
    for (std::size_t v = 0; v < kVectors; ++v) {
      const __m512i product0 = _mm512_mul_epu32(x[0][v], multiplier0);
      const __m512i product1 = _mm512_mul_epu32(x[2][v], multiplier1);
      const __m512i high0 = _mm512_srli_epi64(product0, 32);
      const __m512i high1 = _mm512_srli_epi64(product1, 32);
      x[0][v] = _mm512_ternarylogic_epi64(high1, x[1][v], key0, kXorOfThree);
      x[2][v] = _mm512_ternarylogic_epi64(high0, x[3][v], key1, kXorOfThree);
      x[1][v] = product1;
      x[3][v] = product0;
    }
  }
  constexpr __mmask8 kAll = 0xFF; // only the masked form stores halves
  for (std::size_t word = 0; word < 4; ++word) {
    for (std::size_t v = 0; v < kVectors; ++v) {
      _mm512_mask_cvtepi64_storeu_epi32(&out[word][v * kWords], kAll, x[word][v]);
    }
  }
}

#pragma GCC diagnostic pop
#endif

using Philox = decltype(philox4x32)*;

Philox best_of_processor() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f") != 0) {
    return philox4x32_avx512;
  }
#endif
  return philox4x32_portable;
}

} // namespace

void philox4x32(std::uint64_t key, std::uint64_t stream, std::uint64_t first, PhiloxBlocks& out) {
  static const Philox best = best_of_processor();
  best(key, stream, first, out);
}

void philox4x32_portable(std::uint64_t key, std::uint64_t stream, std::uint64_t first,
                         PhiloxBlocks& out) {
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
