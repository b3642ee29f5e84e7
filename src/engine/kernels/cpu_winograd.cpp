#include "sdbench/engine/kernels/cpu_winograd.h"

#include <algorithm>
#include <vector>

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include "conv3x3.h"
#include "depth_slices.h"
#include "kit.h"
#include "packing.h"
#include "winograd.h"

namespace sdbench {

using namespace kernels;

namespace {

constexpr std::int64_t kGroupPanels = 3;      ///< fastest number in a product
constexpr std::int64_t kMostTiles = 128;      ///< of a group at a time: 24 KiB of sums a point
constexpr std::int64_t kPatchBytes = 8 << 20; ///< of transformed patches at a time, roughly
constexpr std::int64_t kLeastPatches = 128;   ///< at a time, whatever bytes they need

struct Place {
  std::int64_t image = 0;
  std::int64_t y = 0;
  std::int64_t x = 0;
};

/// Output tiles of 2x2 pixels, image after image, line after line.
struct Tiles {
  explicit Tiles(const at::Tensor& x)
      : height(x.size(2)), width(x.size(3)), across((width + 1) / 2),
        of_image(across * ((height + 1) / 2)) {}

  /// A tile's upper left pixel.
  [[nodiscard]] Place corner(std::int64_t tile) const {
    const std::int64_t in_image = tile % of_image;
    return {tile / of_image, in_image / across * 2, in_image % across * 2};
  }
  /// Pixel (y, x) of `image` in [N, H, W].
  [[nodiscard]] std::int64_t pixel(std::int64_t image, std::int64_t y, std::int64_t x) const {
    return (image * height + y) * width + x;
  }
  [[nodiscard]] bool has(std::int64_t y, std::int64_t x) const {
    return y >= 0 && y < height && x >= 0 && x < width;
  }

  std::int64_t height;
  std::int64_t width;
  std::int64_t across;
  std::int64_t of_image;
};

/// Patches of some tiles, transformed to points: [kPoints, rows, row_stride].
struct Patches {
  Patches(std::int64_t rows, std::int64_t in)
      : row_stride(in + kColumns), // padding, so that rows do not share cache sets
        point_stride(rows * row_stride), memory(at::empty({kPoints, rows, row_stride}, at::kFloat)),
        data(static_cast<float*>(memory.mutable_data_ptr())) {}
  std::int64_t row_stride;
  std::int64_t point_stride;
  at::Tensor memory;
  float* data;
};

at::Tensor packed_taps(const at::Tensor& weight) {
  const at::Tensor rows = weight.contiguous();
  const std::int64_t depth = weight.size(1) * kTaps;
  const std::int64_t panels = round_up(weight.size(0), kColumns) / kColumns;
  at::Tensor taps = at::empty({panels, weight.size(1), kTaps, kColumns}, at::kFloat);
  const auto* from = static_cast<const float*>(rows.const_data_ptr());
  auto* to = static_cast<std::byte*>(taps.mutable_data_ptr());
  at::parallel_for(0, panels, 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t panel = begin; panel < end; ++panel) {
      const std::int64_t first = panel * kColumns;
      pack_as_columns(Rows<float>{from + first * depth, depth,
                                  std::min(kColumns, weight.size(0) - first), depth},
                      to + panel * depth * kPanelRowBytes);
    }
  });
  return taps;
}

} // namespace

std::optional<CpuInstructions> CpuWinograd::instructions(const at::Tensor& weight) {
  const bool fits = weight.device().is_cpu() && weight.scalar_type() == at::kFloat &&
                    is_3x3(weight) && weight.size(1) > 0 && weight.size(1) % kColumns == 0;
  return fits ? cpu_instructions(at::kFloat) : std::nullopt;
}

CpuWinograd::CpuWinograd(const at::Tensor& weight, const at::Tensor& bias,
                         CpuInstructions instructions)
    : kit_(kit_of(instructions).winograd), in_(weight.size(1)), out_(weight.size(0)),
      taps_(packed_taps(weight)), bias_(bias.to(at::kFloat).contiguous()) {}

namespace {

/// Panels whose taps are transformed to points together.
struct Group {
  std::int64_t first = 0;
  std::int64_t panels = 0;
};
using Groups = std::vector<Group>;

Groups groups_of(std::int64_t panels) {
  Groups groups;
  for (std::int64_t first = 0; first < panels; first += groups.back().panels) {
    groups.push_back({first, panels_now(panels - first, kGroupPanels)});
  }
  return groups;
}

/// A convolution in progress.
class Work {
public:
  Work(const WinogradKit& kit, const at::Tensor& taps, const at::Tensor& x, const at::Tensor& bias,
       const at::Tensor& out)
      : kit_(&kit), tiles_(x), in_(x.size(1)), out_(out.size(1)), slices_(slices_of(in_)),
        groups_(groups_of(taps.size(0))), taps_(static_cast<const float*>(taps.const_data_ptr())),
        x_(static_cast<const float*>(x.const_data_ptr())),
        bias_(static_cast<const float*>(bias.const_data_ptr())),
        to_(static_cast<float*>(out.mutable_data_ptr())), zeros_(at::zeros({in_}, at::kFloat)) {}

  void run(std::int64_t images) {
    const std::int64_t count = images * tiles_.of_image;
    const std::int64_t most = std::max(kLeastPatches, kPatchBytes / (kPoints * in_ * kDwordBytes));
    const std::int64_t passes = (count + most - 1) / most;
    const std::int64_t rows = round_up((count + passes - 1) / passes, kRowStep);
    const Patches patches(rows, in_);
    for (std::int64_t first = 0; first < count; first += rows) {
      some(patches, first, std::min(rows, count - first));
    }
  }

private:
  void some(const Patches& patches, std::int64_t first, std::int64_t count) {
    const std::int64_t blocks = round_up(count, kRowStep) / kRowStep;
    at::parallel_for(0, blocks * kRowStep, kRowStep, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t row = begin; row < end; ++row) {
        gather(patches, row, row < count ? first + row : -1);
      }
    });
    // The work items are blocks of rows of each group of panels. So the threads' shares are as even
    // as possible, and each thread transforms a group's taps as rarely as possible.
    at::parallel_for(
        0, static_cast<std::int64_t>(groups_.size()) * blocks, 1,
        [&](std::int64_t begin, std::int64_t end) {
          const at::Tensor points =
              at::empty({kPoints * kGroupPanels * slices_.front().depth * kColumns}, at::kFloat);
          const at::Tensor sums =
              at::empty({kPoints * kMostTiles * kGroupPanels * kColumns}, at::kFloat);
          while (begin < end) {
            const std::int64_t block = begin % blocks;
            const std::int64_t now = std::min({end - begin, blocks - block, kMostTiles / kRowStep});
            const std::int64_t row = block * kRowStep;
            const Group& group = groups_[static_cast<std::size_t>(begin / blocks)];
            multiply(patches, group, row, now * kRowStep, points.mutable_data_ptr<float>(),
                     sums.mutable_data_ptr<float>());
            write(group, first + row, std::min(now * kRowStep, count - row), now * kRowStep,
                  sums.const_data_ptr<float>());
            begin += now;
          }
        });
  }

  /// Transforms a tile's patch to row `row`. Tile -1 stands for zeros.
  void gather(const Patches& patches, std::int64_t row, std::int64_t tile) const {
    const auto* zeros = static_cast<const float*>(zeros_.const_data_ptr());
    PatchToPoints patch;
    const Place corner = tiles_.corner(tile);
    for (std::int64_t i = 0; i < kPoints; ++i) {
      const std::int64_t y = corner.y - 1 + i / 4;
      const std::int64_t x = corner.x - 1 + i % 4;
      patch.pixels[static_cast<std::size_t>(i)] =
          tile >= 0 && tiles_.has(y, x) ? x_ + tiles_.pixel(corner.image, y, x) * in_ : zeros;
    }
    patch.to = patches.data + row * patches.row_stride;
    patch.point_stride = patches.point_stride;
    patch.channels = in_;
    kit_->patch(patch);
  }

  [[nodiscard]] const float* taps_of(std::int64_t panel, std::int64_t channel) const {
    return taps_ + (panel * in_ + channel) * kTaps * kColumns;
  }

  void multiply(const Patches& patches, const Group& group, std::int64_t row, std::int64_t rows,
                float* points, float* sums) const {
    for (const auto& [first, depth] : slices_) {
      Product product;
      product.depth = depth;
      product.panels = group.panels;
      product.panel_stride = product.depth * kPanelRowBytes;
      product.a_stride = patches.row_stride * kDwordBytes;
      product.c_stride = kGroupPanels * kColumns;
      product.accumulate = first > 0;
      const std::int64_t panel_floats = product.depth * kColumns;
      TapsToPoints taps;
      taps.depth = product.depth;
      taps.point_stride = kGroupPanels * panel_floats;
      for (std::int64_t i = 0; i < product.panels; ++i) {
        taps.taps = taps_of(group.first + i, first);
        taps.to = points + i * panel_floats;
        kit_->taps(taps);
      }
      for (std::int64_t point = 0; point < kPoints; ++point) {
        product.a = reinterpret_cast<const std::byte*>(patches.data + point * patches.point_stride +
                                                       row * patches.row_stride + first);
        product.b = reinterpret_cast<const std::byte*>(points + point * taps.point_stride);
        product.c = sums + point * rows * product.c_stride;
        kit_->multiply(product, rows);
      }
    }
  }

  void write(const Group& group, std::int64_t first_tile, std::int64_t count, std::int64_t rows,
             const float* sums) const {
    for (std::int64_t row = 0; row < count; ++row) {
      const Place corner = tiles_.corner(first_tile + row);
      for (std::int64_t i = 0; i < group.panels; ++i) {
        const std::int64_t output = (group.first + i) * kColumns;
        PointsToPixels pixels;
        pixels.sums = sums + (row * kGroupPanels + i) * kColumns;
        pixels.point_stride = rows * kGroupPanels * kColumns;
        pixels.bias = bias_ + output;
        pixels.count = std::min(kColumns, out_ - output);
        for (std::int64_t p = 0; p < 4; ++p) {
          const std::int64_t y = corner.y + p / 2;
          const std::int64_t x = corner.x + p % 2;
          pixels.to[static_cast<std::size_t>(p)] =
              tiles_.has(y, x) ? to_ + tiles_.pixel(corner.image, y, x) * out_ + output : nullptr;
        }
        kit_->pixels(pixels);
      }
    }
  }

  const WinogradKit* kit_;
  Tiles tiles_;
  std::int64_t in_;
  std::int64_t out_;
  std::vector<Slice> slices_; ///< of the channels
  Groups groups_;
  const float* taps_;
  const float* x_;
  const float* bias_;
  float* to_;
  at::Tensor zeros_; ///< a pixel outside the image
};

} // namespace

at::Tensor CpuWinograd::operator()(const at::Tensor& x) const {
  check_image(x, in_, at::kFloat);
  at::Tensor out = at::empty({x.size(0), out_, x.size(2), x.size(3)},
                             x.options().memory_format(at::MemoryFormat::ChannelsLast));
  if (out.numel() > 0) {
    Work(*kit_, taps_, x.contiguous(at::MemoryFormat::ChannelsLast), bias_, out).run(x.size(0));
  }
  return out;
}

} // namespace sdbench
