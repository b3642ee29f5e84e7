#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <ATen/core/Tensor.h>

#include "kit.h"

namespace sdbench::kernels {

/// A part of the depth: so much that the panels of it that a product takes at once stay in the
/// first cache.
struct Slice {
  std::int64_t first = 0; ///< value of a row that it begins with
  std::int64_t depth = 0; ///< dwords
};

/// `width` values of each of `groups` (the taps of a convolution) in slices as equal as can be: the
/// first is none of the smaller ones. `per_dword`: values of a dword.
[[nodiscard]] std::vector<Slice> slices_of(std::int64_t groups, std::int64_t width,
                                           std::int64_t per_dword);

/// Rows of weights [out, depth] as columns of panels, slice after slice.
class PackedMatrix {
public:
  /// `rows` [out, groups * width], dense, in the kit's values: `groups` parts (the taps of a
  /// convolution), none of which shares a slice with another. `width` must be a multiple of
  /// kDepthStep dwords.
  PackedMatrix(const Kit& kit, const at::Tensor& rows, std::int64_t groups);

  [[nodiscard]] const Kit& kit() const { return *kit_; }
  [[nodiscard]] std::int64_t out() const { return out_; }
  [[nodiscard]] std::int64_t panels() const { return panels_; }
  [[nodiscard]] const std::vector<Slice>& slices() const { return slices_; }
  /// What Product::b is for a slice, from a panel on.
  [[nodiscard]] const std::byte* b(std::size_t slice, std::int64_t panel) const;

private:
  const Kit* kit_;
  std::int64_t out_;
  std::int64_t panels_;
  std::vector<Slice> slices_;
  std::vector<std::int64_t> begins_; ///< bytes, of each slice
  at::Tensor memory_;
};

/// Some rows, and some panels of weights.
struct Block {
  const std::byte* a = nullptr;
  std::int64_t a_stride = 0; ///< bytes from row to row
  std::int64_t rows = 0;     ///< a multiple of kRows
  std::int64_t first_panel = 0;
  std::int64_t panels = 0;
  float* c = nullptr; ///< [rows, c_stride]
  std::int64_t c_stride = 0;
};

/// c = a b. `offsets`: bytes from a row's start to where each slice's values lie.
void multiply_block(const PackedMatrix& weights, const std::vector<std::int64_t>& offsets,
                    const Block& block);

/// How a product is cut into tasks: rows and panels of each.
struct Tasks {
  /// Of `rows` rows, so many that all of `threads` have some.
  Tasks(std::int64_t rows, std::int64_t panels, std::int64_t threads);

  [[nodiscard]] std::int64_t count() const { return row_blocks * panel_blocks; }

  std::int64_t rows = 128; ///< that share a look at the weights
  std::int64_t panels = 24;
  std::int64_t row_blocks;
  std::int64_t panel_blocks;
};

/// A thread's sums of one task.
struct SumScratch {
  explicit SumScratch(const Tasks& tasks);
  at::Tensor memory;
  float* c;
  std::int64_t c_stride;
};

/// Whether the inputs of `weight` [out, in, ...] are a whole number of tile rows: 16 fp32, 32 bf16.
[[nodiscard]] bool fills_tile_rows(const at::Tensor& weight);

/// A task's panels and sums; its rows are the caller's.
[[nodiscard]] Block block_of(const PackedMatrix& weights, const Tasks& tasks, std::int64_t task,
                             const SumScratch& scratch);

/// Rounds a row of a block's sums, with their part of `bias` [out] or null, to its part of `to`
/// [out].
void write_row(const PackedMatrix& weights, const Block& block, std::int64_t row, const float* bias,
               std::byte* to);

} // namespace sdbench::kernels
