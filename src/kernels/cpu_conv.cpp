#include "sdbench/kernels/cpu_conv.h"
#include "kit.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include "block_product.h"
#include "conv3x3.h"
#include "packing.h"

namespace sdbench {

using namespace kernels;

namespace {

/// Images with a border of zeros, one pixel after another: [N, H + 2, W + 2, pixel].
struct Bordered {
  Bordered(const at::Tensor& x, std::int64_t pixel_bytes);
  at::Tensor memory;
  const std::byte* data;
};

Bordered::Bordered(const at::Tensor& x, std::int64_t pixel_bytes) {
  const std::int64_t height = x.size(2);
  const std::int64_t row_bytes = x.size(3) * pixel_bytes;
  const std::int64_t wide_bytes = row_bytes + 2 * pixel_bytes;
  const std::int64_t rows = x.size(0) * (height + 2);
  const std::int64_t extra =
      (kRows + 2) * pixel_bytes; // read after the end; what comes of it is not
  memory = at::empty({rows * wide_bytes + extra}, at::kByte);
  auto* to = static_cast<std::byte*>(memory.mutable_data_ptr());
  std::memset(to + rows * wide_bytes, 0, static_cast<std::size_t>(extra));
  const auto* from = static_cast<const std::byte*>(x.const_data_ptr());
  at::parallel_for(0, rows, 8, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row) {
      std::byte* wide = to + row * wide_bytes;
      const std::int64_t y = row % (height + 2) - 1;
      if (y < 0 || y == height) {
        std::memset(wide, 0, static_cast<std::size_t>(wide_bytes));
        continue;
      }
      const std::int64_t image = row / (height + 2);
      std::memset(wide, 0, static_cast<std::size_t>(pixel_bytes));
      std::memcpy(wide + pixel_bytes, from + (image * height + y) * row_bytes,
                  static_cast<std::size_t>(row_bytes));
      std::memset(wide + pixel_bytes + row_bytes, 0, static_cast<std::size_t>(pixel_bytes));
    }
  });
  data = to;
}

} // namespace

struct CpuConv3x3::Impl {
  Impl(const at::Tensor& weight, const at::Tensor& given_bias, CpuInstructions instructions)
      : dtype(weight.scalar_type()), in(weight.size(1)),
        pixel_bytes(in * static_cast<std::int64_t>(weight.element_size())),
        packed(kit_of(instructions),
               weight.permute({0, 2, 3, 1}).contiguous().view({weight.size(0), kTaps * in}), kTaps),
        bias(given_bias.to(at::kFloat).contiguous()) {}

  /// Bytes from where a pixel's upper left neighbour lies to each slice's values.
  [[nodiscard]] std::vector<std::int64_t> offsets(std::int64_t bordered_width) const {
    std::vector<std::int64_t> found;
    for (const Slice& slice : packed.slices()) {
      const std::int64_t tap = slice.first / in;
      const std::int64_t pixel = tap / kSide * bordered_width + tap % kSide;
      found.push_back(pixel * pixel_bytes + slice.first % in * (pixel_bytes / in));
    }
    return found;
  }

  at::ScalarType dtype;
  std::int64_t in;
  std::int64_t pixel_bytes;
  PackedMatrix packed;
  at::Tensor bias;
};

std::optional<CpuInstructions> CpuConv3x3::instructions(const at::Tensor& weight) {
  return weight.device().is_cpu() && is_3x3(weight) && fills_tile_rows(weight)
             ? cpu_instructions(weight.scalar_type())
             : std::nullopt;
}

CpuConv3x3::CpuConv3x3(const at::Tensor& weight, const at::Tensor& bias,
                       CpuInstructions instructions)
    : impl_(std::make_shared<const Impl>(weight, bias, instructions)) {}

at::Tensor CpuConv3x3::operator()(const at::Tensor& x) const {
  check_image(x, impl_->in, impl_->dtype);
  const PackedMatrix& packed = impl_->packed;
  const std::int64_t images = x.size(0);
  const std::int64_t height = x.size(2);
  const std::int64_t width = x.size(3);
  at::Tensor out = at::empty({images, packed.out(), height, width},
                             x.options().memory_format(at::MemoryFormat::ChannelsLast));
  if (out.numel() == 0) {
    return out;
  }
  const std::int64_t wide = width + 2;
  const Bordered bordered(x.contiguous(at::MemoryFormat::ChannelsLast), impl_->pixel_bytes);
  const std::vector<std::int64_t> offsets = impl_->offsets(wide);
  const auto* bias = impl_->bias.const_data_ptr<float>();
  auto* to = static_cast<std::byte*>(out.mutable_data_ptr());
  const auto value_bytes = static_cast<std::int64_t>(x.element_size());

  // The pixels of a bordered image follow each other at one distance, so that any of them are rows
  // of a product: the two at the end of each line, whose neighbours are in two lines, are computed
  // with the others and left out.
  const std::int64_t pixels = height * wide - 2;
  const Tasks tasks(images * pixels, packed.panels(), at::get_num_threads());
  const std::int64_t blocks_an_image = (pixels + tasks.rows - 1) / tasks.rows;
  at::parallel_for(
      0, images * blocks_an_image * tasks.panel_blocks, 1,
      [&](std::int64_t begin, std::int64_t end) {
        const SumScratch scratch(tasks);
        packed.kit().begin();
        for (std::int64_t task = begin; task < end; ++task) {
          const std::int64_t row_block = task / tasks.panel_blocks;
          const std::int64_t image = row_block / blocks_an_image;
          const std::int64_t first = row_block % blocks_an_image * tasks.rows;
          const std::int64_t count = std::min(tasks.rows, pixels - first);
          Block block = block_of(packed, tasks, task, scratch);
          block.a = bordered.data + (image * (height + 2) * wide + first) * impl_->pixel_bytes;
          block.a_stride = impl_->pixel_bytes;
          block.rows = round_up(count, kRows);
          multiply_block(packed, offsets, block);
          for (std::int64_t row = 0; row < count; ++row) {
            const std::int64_t line = (first + row) / wide;
            const std::int64_t place = (first + row) % wide;
            if (place >= width) {
              continue;
            }
            write_row(packed, block, row, bias,
                      to + ((image * height + line) * width + place) * packed.out() * value_bytes);
          }
        }
        packed.kit().end();
      });
  return out;
}

} // namespace sdbench
