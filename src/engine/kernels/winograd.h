#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "conv3x3.h"
#include "packing.h"

// What Winograd's form F(2x2, 3x3) of a convolution needs in vectors of channels, in fp32: for
// an output of 2x2 pixels, 16 points that each are one product over the channels.

namespace sdbench::kernels {

inline constexpr std::int64_t kPoints = 16;

/// 4x4 pixels around an output tile, line by line, to their points.
struct PatchToPoints {
  std::array<const float*, kPoints> pixels{}; ///< [channels] each
  float* to = nullptr;                        ///< [kPoints, channels], points apart by the stride
  std::int64_t point_stride = 0;              ///< floats
  std::int64_t channels = 0;                  ///< a multiple of kColumns
};

/// A panel's taps to their points.
struct TapsToPoints {
  const float* taps = nullptr; ///< [depth, kTaps, kColumns]
  std::int64_t depth = 0;
  float* to = nullptr; ///< [kPoints, depth, kColumns], points apart by the stride
  std::int64_t point_stride = 0;
};

/// A panel's sums at the points of a tile to its 2x2 pixels, with their bias.
struct PointsToPixels {
  const float* sums = nullptr; ///< [kPoints, kColumns], points apart by the stride
  std::int64_t point_stride = 0;
  const float* bias = nullptr; ///< [count]
  std::int64_t count = 0;      ///< outputs of the panel
  std::array<float*, 4> to{};  ///< [count] each; null: outside the image
};

struct WinogradKit {
  void (*patch)(const PatchToPoints&);
  void (*taps)(const TapsToPoints&);
  void (*pixels)(const PointsToPixels&);
  /// Of `rows` rows, a multiple of kRowStep, and not of kRows.
  void (*multiply)(const Product&, std::int64_t rows);
};

} // namespace sdbench::kernels
