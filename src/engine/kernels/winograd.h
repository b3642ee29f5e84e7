#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "conv3x3.h"
#include "packing.h"

// Parts of a convolution in Winograd's form F(2x2, 3x3), in fp32 and vectors of channels. An output
// of 2x2 pixels needs 16 points; each point is one product over the channels.

namespace sdbench::kernels {

inline constexpr std::int64_t kPoints = 16;

/// Transforms 4x4 pixels around an output tile, line by line, to their points.
struct PatchToPoints {
  std::array<const float*, kPoints> pixels{}; ///< [channels] each
  float* to = nullptr;                        ///< [kPoints, channels]; point_stride between points
  std::int64_t point_stride = 0;              ///< floats
  std::int64_t channels = 0;                  ///< a multiple of kColumns
};

/// Transforms a panel's taps to their points.
struct TapsToPoints {
  const float* taps = nullptr; ///< [depth, kTaps, kColumns]
  std::int64_t depth = 0;
  float* to = nullptr; ///< [kPoints, depth, kColumns]; point_stride between points
  std::int64_t point_stride = 0;
};

/// Transforms a panel's sums at the points of a tile to its 2x2 pixels, and adds the bias.
struct PointsToPixels {
  const float* sums = nullptr; ///< [kPoints, kColumns]; point_stride between points
  std::int64_t point_stride = 0;
  const float* bias = nullptr; ///< [count]
  std::int64_t count = 0;      ///< outputs of the panel
  std::array<float*, 4> to{};  ///< [count] each; null for a pixel outside the image
};

struct WinogradKit {
  void (*patch)(const PatchToPoints&);
  void (*taps)(const TapsToPoints&);
  void (*pixels)(const PointsToPixels&);
  /// A product with `rows` rows instead of kRows; a multiple of kRowStep.
  void (*multiply)(const Product&, std::int64_t rows);
};

} // namespace sdbench::kernels
