#include "sdbench/plan/memory_estimate.h"

#include <algorithm>

#include "sdbench/config/model_cost.h"

namespace sdbench {

std::int64_t weight_bytes(const ModelConfig& model, Dtype dtype) {
  const ParameterCounts counts = parameter_counts(model);
  return static_cast<std::int64_t>((counts.text + counts.unet + counts.vae) *
                                   static_cast<double>(size_of(dtype)));
}

std::int64_t decoding_bytes(const VaeConfig& vae, std::size_t bytes_per_element, std::int64_t width,
                            std::int64_t height, std::int64_t batch) {
  // The last up block takes the channels of the level below it at full size; its input, a
  // convolution's result and the normalised copy live at the same time.
  constexpr std::int64_t kLivingTensors = 3;
  const auto& channels = vae.block_out_channels;
  const std::int64_t widest = channels[std::min<std::size_t>(1, channels.size() - 1)];
  return kLivingTensors * batch * widest * width * height *
         static_cast<std::int64_t>(bytes_per_element);
}

} // namespace sdbench
