#include "block_product.h"

#include <algorithm>

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include "packing.h"

namespace sdbench::kernels {

std::vector<Slice> slices_of(std::int64_t groups, std::int64_t width, std::int64_t per_dword) {
  constexpr std::int64_t kMostDepth = 176; // dwords: three panels of it are 33 KiB
  const std::int64_t dwords = width / per_dword;
  const std::int64_t count = (dwords + kMostDepth - 1) / kMostDepth;
  const std::int64_t depth = round_up((dwords + count - 1) / count, kDepthStep);
  std::vector<Slice> slices;
  for (std::int64_t group = 0; group < groups; ++group) {
    for (std::int64_t first = 0; first < dwords; first += depth) {
      slices.push_back({group * width + first * per_dword, std::min(depth, dwords - first)});
    }
  }
  return slices;
}

namespace {

template <typename T>
void pack(const at::Tensor& rows, const Slice& slice, std::byte* to) {
  const std::int64_t per_dword = kDwordBytes / static_cast<std::int64_t>(sizeof(T));
  pack_as_columns(Rows<T>{static_cast<const T*>(rows.const_data_ptr()) + slice.first,
                          rows.stride(0), rows.size(0), slice.depth * per_dword},
                  to);
}

} // namespace

PackedMatrix::PackedMatrix(const Kit& kit, const at::Tensor& rows, std::int64_t groups)
    : kit_(&kit), out_(rows.size(0)), panels_(round_up(out_, kColumns) / kColumns),
      slices_(slices_of(groups, rows.size(1) / groups, kit.values_per_dword)) {
  std::int64_t bytes = 0;
  for (const Slice& slice : slices_) {
    begins_.push_back(bytes);
    bytes += panels_ * panel_bytes(slice.depth);
  }
  memory_ = at::empty({bytes}, at::kByte);
  auto* to = reinterpret_cast<std::byte*>(memory_.mutable_data_ptr()); // NOLINT
  const auto count = static_cast<std::int64_t>(slices_.size());
  at::parallel_for(0, count, 1, [&](std::int64_t begin, std::int64_t end) {
    for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) {
      if (kit.values_per_dword == 1) {
        pack<float>(rows, slices_[i], to + begins_[i]);
      } else {
        pack<std::uint16_t>(rows, slices_[i], to + begins_[i]);
      }
    }
  });
}

const std::byte* PackedMatrix::b(std::size_t slice, std::int64_t panel) const {
  return static_cast<const std::byte*>(memory_.const_data_ptr()) + begins_[slice] +
         panel * panel_bytes(slices_[slice].depth);
}

void multiply_block(const PackedMatrix& weights, const std::vector<std::int64_t>& offsets,
                    const Block& block) {
  const Kit& kit = weights.kit();
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    Product product;
    product.a_stride = block.a_stride;
    product.depth = weights.slices()[i].depth;
    product.panel_stride = panel_bytes(product.depth);
    product.c_stride = block.c_stride;
    product.accumulate = i > 0;
    for (std::int64_t panel = 0; panel < block.panels; panel += product.panels) {
      product.panels = panels_now(block.panels - panel, kit.panels_at_once);
      product.b = weights.b(i, block.first_panel + panel);
      for (std::int64_t row = 0; row < block.rows; row += kRows) {
        product.a = block.a + row * block.a_stride + offsets[i];
        product.c = block.c + row * block.c_stride + panel * kColumns;
        kit.multiply(product);
      }
    }
  }
}

bool fills_tile_rows(const at::Tensor& weight) {
  const std::int64_t bytes = weight.size(1) * static_cast<std::int64_t>(weight.element_size());
  return bytes > 0 && bytes % (kDepthStep * kDwordBytes) == 0;
}

Block block_of(const PackedMatrix& weights, const Tasks& tasks, std::int64_t task,
               const SumScratch& scratch) {
  Block block;
  block.first_panel = task % tasks.panel_blocks * tasks.panels;
  block.panels = std::min(tasks.panels, weights.panels() - block.first_panel);
  block.c = scratch.c;
  block.c_stride = scratch.c_stride;
  return block;
}

void write_row(const PackedMatrix& weights, const Block& block, std::int64_t row, const float* bias,
               std::byte* to) {
  const std::int64_t column = block.first_panel * kColumns;
  Sums sums;
  sums.sums = block.c + row * block.c_stride;
  sums.bias = bias == nullptr ? nullptr : bias + column;
  sums.to = to + column * kDwordBytes / weights.kit().values_per_dword;
  sums.count = std::min(block.panels * kColumns, weights.out() - column);
  weights.kit().write(sums);
}

Tasks::Tasks(std::int64_t all_rows, std::int64_t all_panels, std::int64_t threads) {
  constexpr std::int64_t kTasksPerThread = 4; // so that none waits long for the last one
  constexpr std::int64_t kLeastPanels = 6;
  const auto cut = [&] {
    row_blocks = (all_rows + rows - 1) / rows;
    panel_blocks = (all_panels + panels - 1) / panels;
    return count() >= threads * kTasksPerThread;
  };
  while (!cut() && panels > kLeastPanels) {
    panels /= 2;
  }
  while (!cut() && rows > kRows) {
    rows /= 2;
  }
}

SumScratch::SumScratch(const Tasks& tasks)
    : memory(at::empty({tasks.rows, (tasks.panels + 1) * kColumns}, at::kFloat)),
      c(static_cast<float*>(memory.mutable_data_ptr())), c_stride(memory.stride(0)) {
} // a panel wider: rows do not fall into the same cache sets

} // namespace sdbench::kernels
