#pragma once

#include "vector_math.h"

// GEGLU: values times GELU of their gates.

// GCC 12 warns of variables that its own headers leave uninitialised on purpose (GCC bug 105593).
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"

namespace sdbench::kernels::SDBENCH_VECTOR {

/// The exact GELU, x (1 + erf(x / sqrt 2)) / 2, where erf has an error of up to 1.5e-7 (M.
/// Abramowitz, I. Stegun: Handbook of Mathematical Functions, 7.1.26). Computed as max(x, 0) - |x|
/// / 2 * (1 - erf(|x| / sqrt 2)), so that nothing cancels. NaN and infinity stay as they are; minus
/// infinity becomes NaN, as in the formula.
template <typename Value>
SDBENCH_INLINE Vector gelu(Vector x) {
  constexpr float kScale = 0.3275911F * 0.707106781F; // p of the formula, over the root of 2
  constexpr float kHalfLog2OfE = 0.72134752F;
  constexpr float kFar = 50; // 1 - erf is 0 here; infinity times 0 would be NaN
  const Vector minus_x = all(0) - x;
  const Vector far = all(-kFar) - greater(minus_x, all(0)); // clamps only positive x
  const Vector minus_size = greater(greater(x, minus_x) * all(-1), far);
  const Vector t = all(1) / (all(1) - minus_size * all(kScale));
  Vector sum = all(1.061405429F);
  sum = multiply_add(sum, t, all(-1.453152027F));
  sum = multiply_add(sum, t, all(1.421413741F));
  sum = multiply_add(sum, t, all(-0.284496736F));
  sum = multiply_add(sum, t, all(0.254829592F));
  const Vector lacking = sum * t * Value::power(minus_size * minus_size * all(-kHalfLog2OfE));
  return multiply_add(minus_size * all(0.5F), lacking, greater(all(0), x));
}

template <typename Value>
SDBENCH_TARGET void gate_values(const Gating& g) {
  for (std::int64_t i = 0; i < g.count; i += kWidth) {
    const std::int64_t at = i * Value::kBytes;
    Value::write(g.to + at, Value::read(g.values + at) * gelu<Value>(Value::read(g.gates + at)));
  }
}

} // namespace sdbench::kernels::SDBENCH_VECTOR

#pragma GCC diagnostic pop
