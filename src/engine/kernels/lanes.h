#pragma once

#include <cstdint>

#include "packing.h"

// The steps of attention in fp32. Each lane of a vector is a query. Matrices are [rows, lanes] with
// 16, 32 or 48 lanes. 16 lanes are one vector of AVX-512 or two of AVX2.

namespace sdbench::kernels {

inline constexpr std::int64_t kLanes = 16;      ///< one vector of AVX-512 or two of AVX2
inline constexpr std::int64_t kMostVectors = 3; ///< a row has at most 3 times kLanes lanes
/// `off`, which is subtracted from scores, is raised only if a score exceeds it by more than this.
/// Scores are exponents of two, so weights are at most 2^8, which costs no precision. Small
/// increases are frequent.
inline constexpr float kMostScore = 8;

/// Arguments for c = a b - off, or c += a b - off if `accumulate`; c is [rows, lanes]. `a` is
/// stored in panels of 16 of its rows, each [depth, 16].
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
  float* largest = nullptr;   ///< [lanes] or null; raised to the greatest of c's `compared` rows
  std::int64_t compared = 0;  ///< rows of c that `largest` covers; the others are padding
};

/// A block of scores, and the results of its queries over earlier blocks. Each score becomes the
/// weight 2^(score - off).
struct LaneScores {
  float* scores = nullptr; ///< [keys, lanes]; become weights
  std::int64_t keys = 0;
  std::int64_t vectors = 0;
  const float* largest = nullptr; ///< [lanes], the largest score of this block minus `off`
  float* off = nullptr;           ///< [lanes]; 0 before the first block
  float* sum = nullptr;           ///< [lanes], sum of the weights so far; 0 before the first block
  float* answers = nullptr; ///< [width, lanes], weighted sums so far; scaled down if `off` grows
  std::int64_t width = 0;
  /// Largest valid score. A score above it would have overflowed fp32 before scaling in other
  /// implementations, so it becomes NaN.
  float most = 0;
};

/// Final results of queries, to be written as rows.
struct LaneAnswers {
  const float* answers = nullptr; ///< [width, lanes]
  const float* sum = nullptr;     ///< [lanes], by which the answers are divided
  std::int64_t vectors = 0;
  float* to = nullptr;
  std::int64_t stride = 0; ///< floats from row to row
  std::int64_t count = 0;  ///< rows: at most the number of lanes
  std::int64_t width = 0;
};

struct LaneKit {
  void (*multiply)(const LaneProduct&);
  /// Raises `off` in lanes where a score exceeds it by too much, or where all earlier weights are
  /// 0. Scales the results of earlier blocks down to match. Returns false if nothing was raised.
  bool (*raise)(const LaneScores&);
  void (*weigh)(const LaneScores&); ///< turns scores, with `off` already subtracted, into weights
  void (*take_off_and_weigh)(const LaneScores&); ///< subtracts `off` first
  /// Multiplies rows by `scale` and transposes them into lanes: `to` is [rows.width, lanes]. Lanes
  /// beyond the last row become zero.
  void (*read)(const Rows<float>& rows, std::int64_t vectors, float scale, float* to);
  void (*write)(const LaneAnswers&);
};

} // namespace sdbench::kernels
