#include "sdbench/plan/memory_estimate.h"

#include <algorithm>

#include "sdbench/config/model_cost.h"

namespace sdbench {

std::int64_t weight_bytes(const ModelConfig& model, Precision precision, bool offload) {
  const ParameterCounts counts = parameter_counts(model);
  const double all = counts.text + counts.unet + counts.vae;
  const double largest = std::max({counts.text, counts.unet, counts.vae});
  const auto bytes = static_cast<double>(size_of(precision.weight_dtype()));
  const double copies = precision.autocast ? static_cast<double>(size_of(precision.dtype)) : 0;
  return static_cast<std::int64_t>((offload ? largest : all) * bytes + largest * copies);
}

std::int64_t decoding_bytes(const VaeConfig& vae, std::size_t bytes_per_element, std::int64_t width,
                            std::int64_t height, std::int64_t batch, bool tiling) {
  // The last up block takes the channels of the level below it at full size; its input, a
  // convolution's result and the normalised copy live at the same time.
  constexpr std::int64_t kLivingTensors = 3;
  const auto& channels = vae.block_out_channels;
  const std::int64_t widest = channels[std::min<std::size_t>(1, channels.size() - 1)];
  const std::int64_t side = tiling ? vae.sample_size : std::max(width, height);
  return kLivingTensors * batch * widest * std::min(width, side) * std::min(height, side) *
         static_cast<std::int64_t>(bytes_per_element);
}

} // namespace sdbench
