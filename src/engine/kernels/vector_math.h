#pragma once

// Powers of two, for softmax, SiLU and GELU. The files vector_*.h use the Vector of avx2_vector.h
// or avx512_vector.h, whichever was included first. They are compiled for its instructions, in the
// namespace avx2 or avx512.

#ifndef SDBENCH_VECTOR
#include "avx512_vector.h" // for tools that read this header alone
#endif

namespace sdbench::kernels::SDBENCH_VECTOR {

/// 2^x with a relative error of at most 1.5e-7. The integer part of x becomes the exponent.
/// 2^fraction is a minimax polynomial on [0, 1], found with the Remez exchange. NaN stays NaN; -inf
/// gives 0. A polynomial of one degree more did not improve the results of attention.
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

/// 2^x with a relative error of 7.5e-5, for results that are rounded to bf16, which has an error of
/// 2e-3.
SDBENCH_INLINE Vector rough_power_of_two(Vector x) {
  const Vector part = fraction(x);
  Vector sum = all(0.0780245215F);
  sum = multiply_add(sum, part, all(0.226067156F));
  sum = multiply_add(sum, part, all(0.695833564F));
  sum = multiply_add(sum, part, all(0.999925196F));
  return scale_by_power(sum, x);
}

} // namespace sdbench::kernels::SDBENCH_VECTOR
