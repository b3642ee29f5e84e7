#pragma once

#include <cstddef>
#include <cstdint>

#include "sdbench/engine/kernels/cpu_instructions.h"

// The processor-specific parts of the kernels, each large enough to be called through a pointer. A
// function attribute compiles each for its own instructions. A compiler option for the whole file
// would also compile inline functions of the standard library for a processor that we may not run
// on.
//
// Values are handled in dwords: one fp32 or two bf16. The right-hand side of a product is stored in
// panels of 16 columns, each [depth in dwords][16]. AMX reads such a panel as tiles; AVX-512
// multiplies its rows by one broadcast dword. In lanes.h the same panels are the left-hand side.

namespace sdbench::kernels {

inline constexpr std::int64_t kDwordBytes = 4;
inline constexpr std::int64_t kRows = 32;       ///< rows of a product: two tiles
inline constexpr std::int64_t kColumns = 16;    ///< columns of a panel: one vector, one tile
inline constexpr std::int64_t kDepthStep = 16;  ///< dwords of a tile's row
inline constexpr std::int64_t kRowStep = 8;     ///< vector products have a multiple of 8 rows
inline constexpr std::int64_t kBlockKeys = 256; ///< keys of a block of scores in use at one time

/// Arguments for c = a b, or c += a b if `accumulate`. c is [kRows, 16 * panels], a is [kRows,
/// depth]. Between `depth` and the next multiple of kDepthStep, a and b are zero, so a product may
/// include that part.
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

/// A block of scores, which become weights, and the results of its rows over earlier blocks.
struct Scores {
  float* scores = nullptr;         ///< [rows, kBlockKeys]
  std::int64_t stride = 0;         ///< floats from row to row
  std::byte* weights = nullptr;    ///< bf16 [rows, kBlockKeys]
  std::int64_t weights_stride = 0; ///< bytes from row to row
  std::int64_t rows = 0;
  std::int64_t keys = 0;    ///< keys in this block; weights beyond them are set to zero
  float scale = 1;          ///< factor that turns scores into exponents of two
  float* largest = nullptr; ///< [rows], largest scaled score so far; -inf before the first block
  float* sum = nullptr;     ///< [rows], sum of the weights so far; 0 before the first block
  float* answers = nullptr; ///< [rows, answer_width], sums of weighted values so far; scaled down
                            ///< when `largest` grows
  std::int64_t answer_width = 0; ///< floats, a multiple of kColumns
};

/// Arguments for sums over the pixels of an image, for each channel. The image is channels-last and
/// dense: [count, channels]. `channels` is a multiple of kColumns.
struct PixelSums {
  const std::byte* pixels = nullptr;
  std::int64_t count = 0;
  std::int64_t channels = 0;
  const float* origin = nullptr; ///< [channels], subtracted from each value first, so that sums
                                 ///< keep their last bits
  double* sums = nullptr;        ///< [channels], to which the sums of the differences are added
  double* squares = nullptr;     ///< [channels], to which the sums of their squares are added
};

/// Arguments for (value - mean) * scale + shift, followed by SiLU if `silu`. The mean is subtracted
/// first. If it were a part of `shift`, two large numbers would cancel where the variance is small.
struct PixelScaling {
  const std::byte* pixels = nullptr; ///< [count, channels], as above
  std::byte* to = nullptr;
  std::int64_t count = 0;
  std::int64_t channels = 0;
  const float* mean = nullptr; ///< [channels], like scale and shift
  const float* scale = nullptr;
  const float* shift = nullptr;
  bool silu = false;
};

/// A row of values and a row of their gates. `count` is a multiple of kColumns.
struct Gating {
  const std::byte* values = nullptr;
  const std::byte* gates = nullptr;
  std::byte* to = nullptr; ///< the values times GELU of the gates
  std::int64_t count = 0;
};

/// Number of panels to process next if `left` remain and `at_once` panels are fastest. If 3 are
/// fastest, 4 are processed as two and two, because a single panel is slow.
[[nodiscard]] constexpr std::int64_t panels_now(std::int64_t left, std::int64_t at_once) {
  return left == at_once + 1 && at_once > 1 ? 2 : left < at_once ? left : at_once;
}

/// How many rows a product in vectors processes at once: `most`, or `less` for the rows that
/// remain. The total is a multiple of kRowStep.
struct RowSteps {
  int most = 0;
  int less = 0;

  /// True if the next step takes `most` rows while `left` rows remain.
  [[nodiscard]] constexpr bool takes_most(std::int64_t left) const {
    return left % most == 0 || left > std::int64_t{2} * less;
  }
};

struct LaneKit;     // lanes.h
struct WinogradKit; // winograd.h

struct Kit {
  std::int64_t values_per_dword;
  std::int64_t panels_at_once; ///< number that a product computes fastest while they stay in the
                               ///< first-level cache
  void (*begin)();             ///< prepares this thread for products
  void (*end)();
  // For attention in bf16. Null in fp32, where attention uses `lanes`.
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
// For both bf16 kits. They use AVX-512's conversions to bf16.
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
