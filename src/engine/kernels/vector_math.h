#pragma once

// What products, softmax and norms share. vector_*.h are written in the vectors of the header that
// was included first, avx2_vector.h or avx512_vector.h, and are compiled for its instructions in a
// namespace of its name.

#ifndef SDBENCH_VECTOR
#include "avx512_vector.h" // where a header is looked at alone
#endif

namespace sdbench::kernels::SDBENCH_VECTOR {

/// 2^x: the whole part goes to the exponent, the fraction to the polynomial on [0, 1] whose largest
/// relative error is least (found with the Remez exchange). NaN stays NaN; -inf gives 0.
/// 2^x to 1.5e-7 of its value. A degree more brought attention nothing.
SDBENCH_INLINE Vector power_of_two(Vector x) {
  const Vector part = fraction(x);
  Vector sum = all(0.00187757669F);
  sum = multiply_add(sum, part, all(0.00898933969F));
  sum = multiply_add(sum, part, all(0.0558263175F));
  sum = multiply_add(sum, part, all(0.240153611F));
  sum = multiply_add(sum, part, all(0.693153083F));
  sum = multiply_add(sum, part, all(0.99999994F));
  return scale_by_power(sum, x);
}

/// 2^x to 7.5e-5 of its value: what is rounded to bf16 next, to 2e-3.
SDBENCH_INLINE Vector rough_power_of_two(Vector x) {
  const Vector part = fraction(x);
  Vector sum = all(0.0780245215F);
  sum = multiply_add(sum, part, all(0.226067156F));
  sum = multiply_add(sum, part, all(0.695833564F));
  sum = multiply_add(sum, part, all(0.999925196F));
  return scale_by_power(sum, x);
}

} // namespace sdbench::kernels::SDBENCH_VECTOR
