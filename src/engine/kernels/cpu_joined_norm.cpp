#include "sdbench/engine/kernels/cpu_joined_norm.h"

#include <algorithm>
#include <cstdint>

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

namespace sdbench {
namespace {

constexpr std::int64_t kElementsOfATask = 32'768;

/// Scales and rectifies one pixel of one part.
void scaled_relu(const float* __restrict x, const float* __restrict scale,
                 const float* __restrict shift, float* __restrict y, std::int64_t channels) {
  for (std::int64_t c = 0; c < channels; ++c) {
    const float value = x[c] * scale[c] + shift[c];
    y[c] = value < 0 ? 0 : value;
  }
}

struct JoinedPart {
  const float* pixels;
  std::int64_t channels;
};

} // namespace

bool can_join(const std::vector<at::Tensor>& parts) {
  return std::ranges::all_of(parts, [](const at::Tensor& part) {
    return part.is_cpu() && part.scalar_type() == at::kFloat && part.dim() == 4 &&
           part.is_contiguous(at::MemoryFormat::ChannelsLast);
  });
}

at::Tensor joined_relu(const std::vector<at::Tensor>& parts, const at::Tensor& scale,
                       const at::Tensor& shift) {
  const at::Tensor& first = parts.front();
  const std::int64_t channels = scale.size(0);
  const at::Tensor joined =
      at::empty({first.size(0), channels, first.size(2), first.size(3)},
                first.options().memory_format(at::MemoryFormat::ChannelsLast));
  std::vector<JoinedPart> inputs;
  for (const at::Tensor& part : parts) {
    inputs.push_back({part.const_data_ptr<float>(), part.size(1)});
  }
  const auto* const scales = scale.const_data_ptr<float>();
  const auto* const shifts = shift.const_data_ptr<float>();
  auto* const out = joined.data_ptr<float>();
  const std::int64_t grain = std::max<std::int64_t>(1, kElementsOfATask / channels);
  at::parallel_for(0, joined.numel() / channels, grain, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t pixel = begin; pixel < end; ++pixel) {
      std::int64_t channel = 0;
      for (const JoinedPart& part : inputs) {
        scaled_relu(part.pixels + pixel * part.channels, scales + channel, shifts + channel,
                    out + pixel * channels + channel, part.channels);
        channel += part.channels;
      }
    }
  });
  return joined;
}

} // namespace sdbench
