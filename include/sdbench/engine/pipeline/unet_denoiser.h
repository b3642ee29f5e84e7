#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sdbench/engine/models/unet_2d_condition.h"
#include "sdbench/engine/pipeline/denoiser.h"

namespace sdbench {

/// The self-attention of one level for one image; without heads the level does not attend.
struct AttentionLevel {
  std::int64_t heads = 0;
  std::int64_t tokens = 0;
  std::int64_t width = 0; ///< of all heads
};
/// From the finest level down; height and width in latent pixels.
[[nodiscard]] std::vector<AttentionLevel> attention_levels(const UNetConfig& config,
                                                           std::int64_t height, std::int64_t width);

/// A UNet as a denoiser. It alone knows of the prompt's keys and values, of what time adds, and of
/// guidance's halves that are one until the text comes in.
class UNetDenoiser final : public Denoiser {
public:
  UNetDenoiser(const Weights& weights, const UNetConfig& config, Attention kernel)
      : unet_(weights, config, kernel) {}
  [[nodiscard]] std::shared_ptr<const DenoiserRun>
  prepare(const Conditioning& conditioning, const at::Tensor& timesteps, at::IntArrayRef size,
          const DenoisingOptions& options) const override;

private:
  UNet2dCondition unet_;
};

} // namespace sdbench
