#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "conv3x3.h"
#include "packing.h"

// The steps of a 3x3 convolution with Winograd's algorithm F(2x2, 3x3), in fp32, on vectors of
// channels. An output tile of 2x2 pixels needs 16 points; each point is one matrix product over the
// channels.

namespace sdbench::kernels {

inline constexpr std::int64_t kPoints = 16;

/// Arguments for transforming the 4x4 pixels around an output tile to 16 points.
struct PatchToPoints {
  std::array<const float*, kPoints> pixels{}; ///< line by line, [channels] each
  float* to = nullptr;                        ///< [kPoints, channels]; point_stride between points
  std::int64_t point_stride = 0;              ///< floats
  std::int64_t channels = 0;                  ///< a multiple of kColumns
};

/// Arguments for transforming the 3x3 taps of a panel of outputs to 16 points.
struct TapsToPoints {
  const float* taps = nullptr; ///< [depth, kTaps, kColumns]
  std::int64_t depth = 0;
  float* to = nullptr; ///< [kPoints, depth, kColumns]; point_stride between points
  std::int64_t point_stride = 0;
};

/// Arguments for transforming a panel's products at the 16 points of a tile to 2x2 pixels, and
/// adding the bias.
struct PointsToPixels {
  const float* sums = nullptr; ///< [kPoints, kColumns]; point_stride between points
  std::int64_t point_stride = 0;
  const float* bias = nullptr; ///< [count]
  std::int64_t count = 0;      ///< output channels of the panel
  std::array<float*, 4> to{};  ///< [count] each; null for a pixel outside the image
};

struct WinogradKit {
  void (*patch)(const PatchToPoints&);
  void (*taps)(const TapsToPoints&);
  void (*pixels)(const PointsToPixels&);
  /// Computes a Product with `rows` rows, a multiple of kRowStep, instead of kRows.
  void (*multiply)(const Product&, std::int64_t rows);
};

} // namespace sdbench::kernels
