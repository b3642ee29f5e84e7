#include "sdbench/engine/kernels/cpu_group_norm.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <c10/util/BFloat16.h>

#include "kit.h"
#include "sdbench/base/errors/error.h"

namespace sdbench {
namespace {

using namespace kernels;

/// Bytes of an image in one task: enough to be worth a thread, but few enough to be still in the
/// cache when the values are written.
constexpr std::int64_t kTaskBytes = std::int64_t{256} << 10;

/// Images [N, H * W, C] cut into tasks of whole pixels. The cut does not depend on the threads.
struct PixelTasks {
  explicit PixelTasks(const at::Tensor& x)
      : images(x.size(0)), channels(x.size(1)), pixels(x.size(2) * x.size(3)),
        pixel_bytes(channels * static_cast<std::int64_t>(x.element_size())),
        pixels_a_task(std::max<std::int64_t>(kTaskBytes / pixel_bytes, 1)),
        an_image((pixels + pixels_a_task - 1) / pixels_a_task) {}

  struct Task {
    std::int64_t image, offset, count; ///< bytes, pixels
  };
  [[nodiscard]] Task operator[](std::int64_t index) const {
    const std::int64_t image = index / an_image;
    const std::int64_t first = index % an_image * pixels_a_task;
    return {image, (image * pixels + first) * pixel_bytes, std::min(pixels_a_task, pixels - first)};
  }
  [[nodiscard]] std::int64_t count() const { return images * an_image; }

  std::int64_t images, channels, pixels, pixel_bytes, pixels_a_task, an_image;
};

/// A channel's mean and sum of squared distances from it.
struct Moments {
  double mean = 0;
  double squares = 0;
};

/// PixelScaling's values for all images: [3, N, C].
struct Scaling {
  Scaling(std::int64_t images, std::int64_t channel_count)
      : channels(channel_count), size(images * channels),
        numbers(static_cast<std::size_t>(3 * size)) {}
  [[nodiscard]] float* mean(std::int64_t image) { return numbers.data() + image * channels; }
  [[nodiscard]] float* scale(std::int64_t image) { return mean(image) + size; }
  [[nodiscard]] float* shift(std::int64_t image) { return scale(image) + size; }

  std::int64_t channels;
  std::int64_t size;
  std::vector<float> numbers;
};

/// Moments over all channels of a group, by the law of total variance.
Moments moments_of_group(const Moments* channels, std::int64_t count, double pixels) {
  Moments group;
  for (std::int64_t c = 0; c < count; ++c) {
    group.mean += channels[c].mean / static_cast<double>(count);
  }
  for (std::int64_t c = 0; c < count; ++c) {
    const double distance = channels[c].mean - group.mean;
    group.squares += channels[c].squares + pixels * distance * distance;
  }
  return group;
}

/// Sums of each task's pixels less `origin` [N, C]: [tasks, 2, C], values and squares.
at::Tensor sums_of(const at::Tensor& x, const at::Tensor& origin, const PixelTasks& tasks,
                   const Kit& kit) {
  const auto* data = static_cast<const std::byte*>(x.const_data_ptr());
  const auto* origins = origin.const_data_ptr<float>();
  at::Tensor sums = at::zeros({tasks.count(), 2, tasks.channels}, at::kDouble);
  auto* to = sums.mutable_data_ptr<double>();
  at::parallel_for(0, tasks.count(), 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const auto [image, offset, count] = tasks[i];
      double* const own = to + i * 2 * tasks.channels;
      kit.add_up({.pixels = data + offset,
                  .count = count,
                  .channels = tasks.channels,
                  .origin = origins + image * tasks.channels,
                  .sums = own,
                  .squares = own + tasks.channels});
    }
  });
  return sums;
}

/// Moments of an image's channels. Adds the tasks in their order.
std::vector<Moments> moments_of(const double* sums, const float* origin, std::int64_t image,
                                const PixelTasks& tasks) {
  const auto pixels = static_cast<double>(tasks.pixels);
  std::vector<Moments> moments(static_cast<std::size_t>(tasks.channels));
  for (std::int64_t c = 0; c < tasks.channels; ++c) {
    double total = 0;
    double squares = 0;
    for (std::int64_t i = image * tasks.an_image; i < (image + 1) * tasks.an_image; ++i) {
      total += sums[i * 2 * tasks.channels + c];
      squares += sums[(i * 2 + 1) * tasks.channels + c];
    }
    moments[static_cast<std::size_t>(c)] = {
        origin[image * tasks.channels + c] + total / pixels,
        std::max(squares - total * total / pixels, 0.0)}; // NaN stays
  }
  return moments;
}

/// Each image's first pixel: [N, C].
template <typename T>
at::Tensor first_pixels(const at::Tensor& x, const PixelTasks& tasks) {
  at::Tensor pixels = at::empty({tasks.images, tasks.channels}, at::kFloat);
  const auto* from = x.const_data_ptr<T>();
  auto* to = pixels.mutable_data_ptr<float>();
  for (std::int64_t image = 0; image < tasks.images; ++image) {
    std::copy_n(from + image * tasks.pixels * tasks.channels, tasks.channels,
                to + image * tasks.channels);
  }
  return pixels;
}

/// A norm's factors and addends: [C] each, in fp64.
struct Affine {
  const double* weight;
  const double* bias;
};

Scaling scaling_of(const at::Tensor& x, const Affine& affine, std::int64_t groups, double eps,
                   const PixelTasks& tasks, const Kit& kit) {
  const at::Tensor origin = x.scalar_type() == at::kFloat ? first_pixels<float>(x, tasks)
                                                          : first_pixels<c10::BFloat16>(x, tasks);
  const at::Tensor sums = sums_of(x, origin, tasks, kit);
  const std::int64_t of_group = tasks.channels / groups;
  const auto pixels = static_cast<double>(tasks.pixels);
  const double values = pixels * static_cast<double>(of_group);
  Scaling scaling(tasks.images, tasks.channels);
  for (std::int64_t image = 0; image < tasks.images; ++image) {
    const std::vector<Moments> moments =
        moments_of(sums.const_data_ptr<double>(), origin.const_data_ptr<float>(), image, tasks);
    for (std::int64_t first = 0; first < tasks.channels; first += of_group) {
      const Moments group = moments_of_group(moments.data() + first, of_group, pixels);
      // ATen adds squares up in fp32, for some formats before it subtracts the mean. What overflows
      // there must not be a number here, or we would accept an image that engine plain refuses.
      const double all_squares = group.squares + values * group.mean * group.mean;
      const bool overflows = !(all_squares <= std::numeric_limits<float>::max());
      const double factor = overflows ? std::numeric_limits<double>::quiet_NaN()
                                      : 1 / std::sqrt(group.squares / values + eps);
      const auto mean = static_cast<float>(group.mean);
      for (std::int64_t c = first; c < first + of_group; ++c) {
        const double scale = factor * affine.weight[c];
        scaling.mean(image)[c] = mean;
        scaling.scale(image)[c] = static_cast<float>(scale);
        // Includes what the mean lost when it was rounded.
        scaling.shift(image)[c] = static_cast<float>(affine.bias[c] - (group.mean - mean) * scale);
      }
    }
  }
  return scaling;
}

} // namespace

std::optional<CpuInstructions> CpuGroupNorm::instructions(const at::Tensor& x) {
  const bool fits = x.device().is_cpu() && x.dim() == 4 && x.numel() > 0 &&
                    x.size(1) % kColumns == 0 && x.is_contiguous(at::MemoryFormat::ChannelsLast);
  return fits ? cpu_instructions(x.scalar_type()) : std::nullopt;
}

CpuGroupNorm::CpuGroupNorm(const at::Tensor& weight, const at::Tensor& bias, std::int64_t groups,
                           double eps)
    : weight_(weight.to(at::kDouble).contiguous()), bias_(bias.to(at::kDouble).contiguous()),
      groups_(groups), eps_(eps) {
  if (groups < 1 || weight.numel() % groups != 0) {
    throw Error("the groups of a norm must divide its " + std::to_string(weight.numel()) +
                " channels, but are " + std::to_string(groups));
  }
}

at::Tensor CpuGroupNorm::operator()(const at::Tensor& x, bool silu,
                                    CpuInstructions instructions) const {
  if (x.size(1) != weight_.numel()) {
    throw Error("a group norm's input must have " + std::to_string(weight_.numel()) +
                " channels, but has " + std::to_string(x.size(1)));
  }
  const Kit& kit = kit_of(instructions);
  const PixelTasks tasks(x);
  Scaling scaling =
      scaling_of(x, {weight_.const_data_ptr<double>(), bias_.const_data_ptr<double>()}, groups_,
                 eps_, tasks, kit);
  at::Tensor out = at::empty_like(x, at::MemoryFormat::ChannelsLast);
  const auto* from = static_cast<const std::byte*>(x.const_data_ptr());
  auto* to = static_cast<std::byte*>(out.mutable_data_ptr());
  at::parallel_for(0, tasks.count(), 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = end; i-- > begin;) { // the last ones read are still in the cache
      const auto [image, offset, count] = tasks[i];
      kit.scale({.pixels = from + offset,
                 .to = to + offset,
                 .count = count,
                 .channels = tasks.channels,
                 .mean = scaling.mean(image),
                 .scale = scaling.scale(image),
                 .shift = scaling.shift(image),
                 .silu = silu});
    }
  });
  return out;
}

} // namespace sdbench
