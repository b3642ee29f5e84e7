#include "avx512_pixels.h"
#include "avx512_product.h"

#if defined(__x86_64__)

// GCC 12 takes what its own headers leave undefined on purpose for a mistake (GCC bug 105593).
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"

namespace sdbench::kernels {
namespace {

__attribute__((target("avx512f,avx512dq"))) void write_fp32(const Sums& s) {
  for (std::int64_t i = 0; i < s.count; i += kColumns) {
    _mm512_mask_storeu_ps(s.to + i * kDwordBytes, lanes(i, s.count), with_bias(s, i));
  }
}

/// A value in each dword.
struct Fp32 {
  static constexpr std::int64_t kBytes = 4;
  SDBENCH_AVX512_INLINE __m512 load(const std::byte* from) { return _mm512_loadu_ps(from); }
  SDBENCH_AVX512_INLINE void store(std::byte* to, __m512 x) { _mm512_storeu_ps(to, x); }
  SDBENCH_AVX512_INLINE __m512 power(__m512 x) { return power_of_two(x); }
};

} // namespace

const Kit kAvx512Kit{
    1,       kPanelsAtOnce, need_nothing,        need_nothing,      multiply_vectors<AddFp32>,
    nullptr, write_fp32,    add_up_pixels<Fp32>, scale_pixels<Fp32>};

} // namespace sdbench::kernels

#pragma GCC diagnostic pop

#endif
