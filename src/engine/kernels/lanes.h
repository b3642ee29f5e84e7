#pragma once

#include <cstdint>

#include "packing.h"

// Parts of attention in fp32 where each lane of a vector is a query. Matrices are [rows, lanes]
// with 16, 32 or 48 lanes. 16 lanes are one vector of AVX-512 or two of AVX2.

namespace sdbench::kernels {

inline constexpr std::int64_t kLanes = 16;      ///< of a vector, or of two
inline constexpr std::int64_t kMostVectors = 3; ///< of a row
/// `off` is raised only when a score exceeds it by more than this. Scores are exponents of two;
/// weights up to 2^8 lose no precision, and small increases are frequent.
inline constexpr float kMostScore = 8;

/// c [rows, lanes] (+)= a b - off. `a` is in panels of 16 of its rows, each [depth, 16].
struct LaneProduct {
  const float* a = nullptr;
  std::int64_t panel_stride = 0; ///< floats from panel to panel
  const float* b = nullptr;      ///< [depth, lanes]
  float* c = nullptr;
  std::int64_t rows = 0; ///< a multiple of kRowStep
  std::int64_t depth = 0;
  std::int64_t vectors = 0; ///< 1 to kMostVectors
  bool accumulate = false;
  const float* off = nullptr; ///< [lanes]; null: nothing is subtracted
  float* largest = nullptr;   ///< [lanes], raised to the greatest of c's `compared` rows; or null
  std::int64_t compared = 0;  ///< first rows of c; the others only fill a step
};

/// A block of scores and its queries' results over the earlier blocks. Each score becomes the
/// weight 2^(score - off).
struct LaneScores {
  float* scores = nullptr; ///< [keys, lanes]; become weights
  std::int64_t keys = 0;
  std::int64_t vectors = 0;
  const float* largest = nullptr; ///< [lanes], of this block's scores less `off`
  float* off = nullptr;           ///< [lanes]; 0 before the first block
  float* sum = nullptr;           ///< [lanes] of the weights so far; 0 before the first block
  float* answers = nullptr;       ///< [width, lanes] so far; shrunk when `off` grows
  std::int64_t width = 0;
  /// Largest valid score. A score above it would have overflowed fp32 before scaling in other
  /// implementations, so it becomes NaN.
  float most = 0;
};

/// Final results of queries, to be written as rows.
struct LaneAnswers {
  const float* answers = nullptr; ///< [width, lanes]
  const float* sum = nullptr;     ///< [lanes], by which they are divided
  std::int64_t vectors = 0;
  float* to = nullptr;
  std::int64_t stride = 0; ///< floats from row to row
  std::int64_t count = 0;  ///< rows: at most the number of lanes
  std::int64_t width = 0;
};

struct LaneKit {
  void (*multiply)(const LaneProduct&);
  /// Raises `off` where a score is too far above it, or where nothing had weight before, and
  /// shrinks the results of earlier blocks to match. False if nothing was raised.
  bool (*raise)(const LaneScores&);
  void (*weigh)(const LaneScores&);              ///< scores from which `off` was subtracted
  void (*take_off_and_weigh)(const LaneScores&); ///< scores without that
  /// Reads rows, times `scale`, into lanes: `to` [rows.width, lanes]. Lanes beyond the rows become
  /// zero.
  void (*read)(const Rows<float>& rows, std::int64_t vectors, float scale, float* to);
  void (*write)(const LaneAnswers&);
};

} // namespace sdbench::kernels
