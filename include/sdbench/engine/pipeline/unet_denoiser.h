#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sdbench/engine/models/unet_2d_condition.h"
#include "sdbench/engine/pipeline/denoiser.h"

namespace sdbench {

/// The result of attention_levels() for a UNet.
[[nodiscard]] std::vector<AttentionLevel> levels_of(const UNetConfig& config, std::int64_t height,
                                                    std::int64_t width);

/// A UNet as a Denoiser. Only this class uses kv_cache, time_cache and shared_prefix of
/// DenoisingOptions.
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
