#include "sdbench/engine/kernels/gpu_kernels.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include <ATen/ATen.h>

#include "sdbench/base/errors/error.h"

namespace sdbench {
namespace {

constexpr std::int64_t kPackBytes = 16;
constexpr std::int64_t kMostImages = 4096;  // capacity of tickets_
constexpr std::int64_t kMostChunks = 256;   // summed by one block
constexpr std::int64_t kThreads = 256;      // for kernels without cooperation between threads
constexpr std::int64_t kRowsOfBlock = 4;    // in layer_norm: a warp each
constexpr std::int64_t kPacksOfThread = 16; // in layer_norm, at most
constexpr std::int64_t kWarp = 32;

std::int64_t divided_up(std::int64_t count, std::int64_t by) {
  return (count + by - 1) / by;
}

bool fits_int(std::int64_t count) {
  return count <= std::numeric_limits<int>::max() - kThreads;
}

int as_int(std::int64_t value) {
  return static_cast<int>(value);
}

KernelGrid grid_of(std::int64_t x, std::int64_t y, std::int64_t threads) {
  return {static_cast<unsigned>(x), static_cast<unsigned>(y), static_cast<unsigned>(threads)};
}

const void* read(const at::Tensor& x) {
  return x.const_data_ptr();
}

const void* read_if_any(const at::Tensor& x) {
  return x.defined() ? read(x) : nullptr;
}

void* written(const at::Tensor& x) {
  return x.mutable_data_ptr();
}

/// True if images of `a` and `b` have the same memory format, without gaps.
bool are_laid_out_alike(const at::Tensor& a, const at::Tensor& b) {
  for (const at::MemoryFormat format :
       {at::MemoryFormat::Contiguous, at::MemoryFormat::ChannelsLast}) {
    if (a.is_contiguous(format) && b.is_contiguous(format)) {
      return true;
    }
  }
  return false;
}

} // namespace

GpuKernels::GpuKernels(std::shared_ptr<const KernelLauncher> launcher, at::Device device,
                       at::ScalarType dtype)
    : launcher_(std::move(launcher)), device_(device), dtype_(dtype),
      tickets_(at::zeros({kMostImages}, at::device(device).dtype(at::kInt))) {}

template <class... Values>
void GpuKernels::launch(const std::string& kernel, const KernelGrid& grid, Values... values) const {
  const std::array<KernelArgument, sizeof...(Values)> arguments{
      KernelArgument{&values, sizeof(values)}...};
  launcher_->launch(kernel, grid, arguments);
}

bool GpuKernels::is_ours(const at::Tensor& x) const {
  return x.device() == device_ && x.scalar_type() == dtype_ && x.numel() > 0 &&
         reinterpret_cast<std::uintptr_t>(read(x)) % kPackBytes == 0;
}

bool GpuKernels::is_our_image(const at::Tensor& x) const {
  return is_ours(x) && x.dim() == 4 && x.is_contiguous(at::MemoryFormat::ChannelsLast) &&
         x.size(1) % pack_width() == 0;
}

std::int64_t GpuKernels::pack_width() const {
  return kPackBytes / static_cast<std::int64_t>(c10::elementSize(dtype_));
}

std::int64_t GpuKernels::most_channels() const {
  return dtype_ == at::kFloat ? 3072 : 4096;
}

bool GpuKernels::takes_group_norm(const at::Tensor& x, std::int64_t groups,
                                  const at::Tensor& added) const {
  if (!is_our_image(x)) {
    return false;
  }
  if (added.defined() && (!is_ours(added) || !added.is_contiguous() ||
                          (added.size(0) != 1 && added.size(0) != x.size(0)) ||
                          added.numel() != added.size(0) * x.size(1))) {
    return false;
  }
  const std::int64_t channels = x.size(1);
  const std::int64_t packs = channels / pack_width();
  return channels <= most_channels() && channels % groups == 0 &&
         groups <= packs * (most_channels() / channels) && x.size(0) <= kMostImages &&
         fits_int(packs * x.size(2) * x.size(3));
}

at::Tensor GpuKernels::group_norm(const at::Tensor& x, const at::Tensor& weight,
                                  const at::Tensor& bias, std::int64_t groups, double eps,
                                  bool silu, const at::Tensor& added) const {
  const std::int64_t images = x.size(0);
  const std::int64_t channels = x.size(1);
  const std::int64_t pixels = x.size(2) * x.size(3);
  const std::int64_t packs = channels / pack_width();
  const auto multiprocessors = static_cast<std::int64_t>(launcher_->multiprocessors());
  const at::TensorOptions fp32 = at::device(device_).dtype(at::kFloat);
  // Two blocks for each multiprocessor, unless there are only a few pixels.
  constexpr std::int64_t kLeastTurns = 4;
  std::int64_t rows = most_channels() / channels;
  const std::int64_t wanted =
      std::clamp<std::int64_t>(divided_up(2 * multiprocessors, images), 1, kMostChunks);
  std::int64_t chunk_pixels = std::max(divided_up(pixels, wanted), kLeastTurns * rows);
  const std::int64_t chunks = divided_up(pixels, chunk_pixels);
  const at::Tensor partial = at::empty({images, chunks, groups, 2}, fp32);
  const at::Tensor factors = at::empty({images, 2, channels}, fp32);
  const std::int64_t added_stride = added.defined() && added.size(0) > 1 ? channels : 0;
  launch("group_norm_factors", grid_of(chunks, images, packs * rows), read(x), read_if_any(added),
         read(weight), read(bias), written(partial), written(factors), written(tickets_),
         as_int(added_stride), as_int(channels), as_int(groups), as_int(pixels),
         as_int(chunk_pixels), static_cast<float>(eps));
  // Smaller blocks, enough to keep the GPU busy. In a large image each thread has several pixels.
  constexpr std::int64_t kMostTurns = 8;
  constexpr std::int64_t kBlocksEach = 4;
  rows = std::max<std::int64_t>(1, kThreads / packs);
  chunk_pixels =
      rows * std::clamp<std::int64_t>(images * pixels / (rows * kBlocksEach * multiprocessors), 1,
                                      kMostTurns);
  at::Tensor y = at::empty_like(x);
  launch("group_norm_apply", grid_of(divided_up(pixels, chunk_pixels), images, packs * rows),
         read(x), read(factors), written(y), as_int(channels), as_int(pixels), as_int(chunk_pixels),
         static_cast<int>(silu));
  return y;
}

bool GpuKernels::takes_add_bias(const at::Tensor& x, const at::Tensor& other) const {
  return is_our_image(x) && fits_int(x.numel() / pack_width()) &&
         (!other.defined() || (is_our_image(other) && other.sizes() == x.sizes()));
}

void GpuKernels::add_bias(const at::Tensor& x, const at::Tensor& bias,
                          const at::Tensor& other) const {
  const std::int64_t total = x.numel() / pack_width();
  launch("add_bias", grid_of(divided_up(total, kThreads), 1, kThreads), written(x),
         read_if_any(other), read(bias), as_int(x.size(1) / pack_width()), as_int(total));
}

bool GpuKernels::takes_geglu(const at::Tensor& both) const {
  return is_ours(both) && both.is_contiguous() && both.size(-1) % (2 * pack_width()) == 0 &&
         fits_int(both.numel() / 2 / pack_width());
}

at::Tensor GpuKernels::geglu(const at::Tensor& both) const {
  std::vector<std::int64_t> sizes = both.sizes().vec();
  sizes.back() /= 2;
  at::Tensor out = at::empty(sizes, both.options());
  const std::int64_t total = out.numel() / pack_width();
  launch("geglu", grid_of(divided_up(total, kThreads), 1, kThreads), read(both), written(out),
         as_int(sizes.back()), as_int(total));
  return out;
}

bool GpuKernels::takes_quick_gelu(const at::Tensor& x) const {
  return is_ours(x) && x.is_contiguous() && x.numel() % pack_width() == 0 &&
         fits_int(x.numel() / pack_width());
}

at::Tensor GpuKernels::quick_gelu(const at::Tensor& x) const {
  at::Tensor y = at::empty_like(x);
  const std::int64_t total = x.numel() / pack_width();
  launch("quick_gelu", grid_of(divided_up(total, kThreads), 1, kThreads), read(x), written(y),
         as_int(total));
  return y;
}

bool GpuKernels::takes_upsample(const at::Tensor& x) const {
  return is_our_image(x) && fits_int(x.numel() / pack_width());
}

at::Tensor GpuKernels::upsample_twice(const at::Tensor& x) const {
  at::Tensor y = at::empty({x.size(0), x.size(1), 2 * x.size(2), 2 * x.size(3)}, x.options(),
                           at::MemoryFormat::ChannelsLast);
  const std::int64_t total = x.numel() / pack_width();
  launch("upsample_twice", grid_of(divided_up(total, kThreads), 1, kThreads), read(x), written(y),
         as_int(x.size(1) / pack_width()), as_int(x.size(3)), as_int(total));
  return y;
}

bool GpuKernels::takes_layer_norm(const at::Tensor& x) const {
  return is_ours(x) && x.is_contiguous() && x.size(-1) % pack_width() == 0 &&
         x.size(-1) <= kPacksOfThread * kWarp * pack_width() && fits_int(x.numel() / x.size(-1));
}

at::Tensor GpuKernels::layer_norm(const at::Tensor& x, const at::Tensor& addend,
                                  const at::Tensor& weight, const at::Tensor& bias,
                                  double eps) const {
  const std::int64_t channels = x.size(-1);
  const std::int64_t rows = x.numel() / channels;
  std::int64_t most = 1; // packs of a thread
  while (most * kWarp * pack_width() < channels) {
    most *= 2;
  }
  at::Tensor normed = at::empty_like(x);
  launch("layer_norm_" + std::to_string(most),
         grid_of(divided_up(rows, kRowsOfBlock), 1, kRowsOfBlock * kWarp), read(x), read(addend),
         read(weight), read(bias), written(normed), as_int(rows), as_int(channels),
         static_cast<float>(eps));
  return normed;
}

bool GpuKernels::takes_linear_step(const at::Tensor& output, const at::Tensor& latents,
                                   bool guided) const {
  return is_ours(output) && is_ours(latents) && output.dim() == 4 &&
         are_laid_out_alike(output, latents) && fits_int(output.numel()) &&
         output.numel() == (guided ? 2 : 1) * latents.numel();
}

GpuKernels::Stepped GpuKernels::linear_step(const at::Tensor& output, const at::Tensor& latents,
                                            const LinearStep& numbers) const {
  Stepped step{at::empty_like(latents), at::empty_like(latents)};
  const std::int64_t count = latents.numel();
  launch("linear_step", grid_of(divided_up(count, kThreads), 1, kThreads), read(output),
         read(latents), written(step.latents), written(step.input), as_int(count),
         static_cast<int>(numbers.guided), numbers.guidance, numbers.from_output,
         numbers.from_latents, numbers.to_next, numbers.next_scale);
  return step;
}

std::shared_ptr<const GpuKernels> gpu_kernels_for(at::Device device, at::ScalarType dtype) {
  // Not locked, because the worker's pipeline runs in one thread. Never destroyed, because the
  // driver shuts down first.
  using Made = std::map<std::pair<std::string, at::ScalarType>, std::shared_ptr<const GpuKernels>>;
  static Made& made = *new Made;
  auto& kernels = made[{device.str(), dtype}];
  if (!kernels) {
    kernels = std::make_shared<const GpuKernels>(make_cuda_launcher(device, dtype), device, dtype);
  }
  return kernels;
}

} // namespace sdbench
