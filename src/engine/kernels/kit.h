#pragma once

#include <cstddef>
#include <cstdint>

#include "sdbench/engine/kernels/cpu_instructions.h"

// The processor-specific parts of the kernels, each large enough to be called through a pointer. A
// function attribute compiles each for its own instructions. A compiler option for the whole file
// would also compile inline functions of the standard library for a processor that we may not run
// on.
//
// Values are handled in dwords: one fp32 or two bf16. A right-hand side is stored in panels of 16
// columns, each [depth in dwords][16]. AMX reads such a panel as tiles; AVX-512 multiplies its rows
// by one broadcast dword. In lanes.h the same panels are the left-hand side.

namespace sdbench::kernels {

inline constexpr std::int64_t kDwordBytes = 4;
inline constexpr std::int64_t kRows = 32;       ///< of a product: two tiles
inline constexpr std::int64_t kColumns = 16;    ///< of a panel: one vector, one tile
inline constexpr std::int64_t kDepthStep = 16;  ///< dwords of a tile's row
inline constexpr std::int64_t kRowStep = 8;     ///< in vectors: their rows are a multiple of it
inline constexpr std::int64_t kBlockKeys = 256; ///< of a block, whose scores are in use at a time

/// c [kRows, 16 * panels] (+)= a [kRows, depth] b. Between `depth` and the next multiple of
/// kDepthStep, a and b are zero, so a product may include that part.
struct Product {
  const std::byte* a = nullptr;
  std::int64_t a_stride = 0; ///< bytes from row to row
  const std::byte* b = nullptr;
  std::int64_t panel_stride = 0; ///< bytes from panel to panel
  float* c = nullptr;
  std::int64_t c_stride = 0; ///< floats from row to row
  std::int64_t panels = 0;
  std::int64_t depth = 0; ///< dwords
  bool accumulate = false;
};

/// A block of scores, which become weights, and its rows' results over the earlier blocks.
struct Scores {
  float* scores = nullptr;         ///< [rows, kBlockKeys]
  std::int64_t stride = 0;         ///< floats from row to row
  std::byte* weights = nullptr;    ///< bf16 [rows, kBlockKeys]
  std::int64_t weights_stride = 0; ///< bytes from row to row
  std::int64_t rows = 0;
  std::int64_t keys = 0;         ///< in this block; the weights after them are written as zeros
  float scale = 1;               ///< factor that turns scores into exponents of two
  float* largest = nullptr;      ///< [rows] scaled score so far; -inf before the first block
  float* sum = nullptr;          ///< [rows] of the weights so far; 0 before the first block
  float* answers = nullptr;      ///< [rows, answer_width] so far; shrunk when `largest` grows
  std::int64_t answer_width = 0; ///< floats, a multiple of kColumns
};

/// Pixels of an image, channels-last: [count, channels], dense. `channels` is a multiple of
/// kColumns.
struct PixelSums {
  const std::byte* pixels = nullptr;
  std::int64_t count = 0;
  std::int64_t channels = 0;
  const float* origin = nullptr; ///< [channels], subtracted from each value first, so that sums
                                 ///< keep their last bits
  double* sums = nullptr;        ///< [channels], to which the sums of the differences are added
  double* squares = nullptr;     ///< [channels], to which the sums of their squares are added
};

/// (value - mean) * scale + shift, then SiLU if `silu`. The mean is subtracted first: as a part of
/// `shift`, it would make two large numbers cancel where the spread is small.
struct PixelScaling {
  const std::byte* pixels = nullptr; ///< [count, channels], as above
  std::byte* to = nullptr;
  std::int64_t count = 0;
  std::int64_t channels = 0;
  const float* mean = nullptr; ///< [channels], as the two below
  const float* scale = nullptr;
  const float* shift = nullptr;
  bool silu = false;
};

/// A row of values and of their gates. `count` is a multiple of kColumns.
struct Gating {
  const std::byte* values = nullptr;
  const std::byte* gates = nullptr;
  std::byte* to = nullptr; ///< the values times GELU of the gates
  std::int64_t count = 0;
};

/// Number of panels to process next when `left` remain and `at_once` is fastest. If 3 is fastest, 4
/// are split into two and two, because a single panel is slow.
[[nodiscard]] constexpr std::int64_t panels_now(std::int64_t left, std::int64_t at_once) {
  return left == at_once + 1 && at_once > 1 ? 2 : left < at_once ? left : at_once;
}

/// Rows that a vector product processes at once: `most`, or `less` for the remainder of a multiple
/// of kRowStep.
struct RowSteps {
  int most = 0;
  int less = 0;

  /// True if the next step has `most` rows when `left` remain.
  [[nodiscard]] constexpr bool takes_most(std::int64_t left) const {
    return left % most == 0 || left > std::int64_t{2} * less;
  }
};

struct LaneKit;     // lanes.h
struct WinogradKit; // winograd.h

struct Kit {
  std::int64_t values_per_dword;
  std::int64_t panels_at_once; ///< fastest number in a product, while they stay in the first cache
  void (*begin)();             ///< prepares this thread for products
  void (*end)();
  // For attention in bf16. Null in fp32, where attention has its queries in lanes.
  void (*multiply)(const Product&);
  void (*weigh)(const Scores&);
  void (*add_up)(const PixelSums&);
  void (*scale)(const PixelScaling&);
  void (*gate)(const Gating&);
  const LaneKit* lanes = nullptr;        ///< for attention in fp32; null in bf16
  const WinogradKit* winograd = nullptr; ///< for convolutions in Winograd's form
};

/// The kit for these instructions. Throws Error if this build lacks it.
[[nodiscard]] const Kit& kit_of(CpuInstructions instructions);

#if defined(__x86_64__)
// For both kits of bf16; uses AVX-512's conversions to bf16.
namespace avx512 {
void weigh_bf16(const Scores& scores);
void add_up_bf16(const PixelSums& sums);
void scale_bf16(const PixelScaling& scaling);
void gate_bf16(const Gating& gating);
} // namespace avx512

extern const Kit kAvx2Kit;
extern const Kit kAvx512Kit;
extern const Kit kAvx512Bf16Kit;
extern const Kit kAmxKit;
#endif

} // namespace sdbench::kernels
