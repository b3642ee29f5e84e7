#pragma once

#include "vector_gate.h"
#include "vector_lanes.h"
#include "vector_pixels.h"
#include "vector_product.h"
#include "vector_winograd.h"

// The kit for fp32 in vectors.

namespace sdbench::kernels::SDBENCH_VECTOR {

/// Multiplies dwords of one fp32 each.
struct AddFp32 {
  SDBENCH_INLINE void to(Vector& sum, Vector left, Vector right) {
    sum = multiply_add(left, right, sum);
  }
};

/// Reads and writes vectors of fp32, one in each dword.
struct Fp32 {
  static constexpr std::int64_t kBytes = 4;
  SDBENCH_INLINE Vector read(const std::byte* from) {
    return load(reinterpret_cast<const float*>(from)); // NOLINT
  }
  SDBENCH_INLINE void write(std::byte* to, Vector x) {
    store(reinterpret_cast<float*>(to), x); // NOLINT
  }
  SDBENCH_INLINE Vector power(Vector x) { return power_of_two(x); }
};

inline constexpr LaneKit kLaneKit{multiply_lanes,    raise_off,     weigh_lanes<false>,
                                  weigh_lanes<true>, rows_to_lanes, write_lanes};

inline constexpr WinogradKit kWinogradKit{patch_to_points, taps_to_points, points_to_pixels,
                                          multiply_rows<AddFp32>};

inline constexpr Kit kFp32Kit{.values_per_dword = 1,
                              .panels_at_once = kPanelsAtOnce,
                              .begin = need_nothing,
                              .end = need_nothing,
                              .multiply = nullptr,
                              .weigh = nullptr,
                              .add_up = add_up_pixels<Fp32>,
                              .scale = scale_pixels<Fp32>,
                              .gate = gate_values<Fp32>,
                              .lanes = &kLaneKit,
                              .winograd = &kWinogradKit};

} // namespace sdbench::kernels::SDBENCH_VECTOR
