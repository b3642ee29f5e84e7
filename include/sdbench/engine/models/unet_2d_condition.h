#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "sdbench/base/config/model_config.h"
#include "sdbench/engine/models/unet_blocks.h"
#include "sdbench/engine/nn/embeddings.h"

namespace sdbench {

/// SDXL's micro-conditioning.
struct AddedConditioning {
  at::Tensor text_embeds; ///< [B, projection_dim]: the pooled text state
  at::Tensor
      time_ids; ///< [B, 6]: original height and width, crop top and left, target height and width
};

/// A value for each block of a UNet.
template <class Part>
struct UNetParts {
  std::vector<Part> down;
  Part mid; ///< default-constructed if there is no middle block
  std::vector<Part> up;
};
/// A text for a UNet's layers, in a form that serves any number of calls.
using UNetText = UNetParts<BlockText>;
/// The time embedding's values for a UNet's blocks in one call.
using UNetTime = UNetParts<BlockTime>;

/// The same for several calls, computed at once. at() makes the views for one call on demand,
/// because those tens of views cost the host tens of microseconds. If the views for all calls were
/// made before the first call, a GPU would wait.
class UNetTimes {
public:
  UNetTimes() = default; ///< for no calls
  /// `all`: rows [N * images, ...] for N calls.
  UNetTimes(UNetTime all, std::int64_t calls, std::int64_t images)
      : all_(std::move(all)), calls_(calls), images_(images) {}
  [[nodiscard]] std::int64_t size() const { return calls_; }
  /// call < size(). Throws std::out_of_range.
  [[nodiscard]] UNetTime at(std::int64_t call) const;
  [[nodiscard]] UNetTime front() const { return at(0); }
  [[nodiscard]] const UNetTime& all() const { return all_; } ///< rows of all calls

private:
  UNetTime all_;
  std::int64_t calls_ = 0;
  std::int64_t images_ = 1;
};

/// diffusers' UNet2DConditionModel, as used in SD1.5, SD2.1, SDXL and models distilled from them.
/// Keys: `conv_in time_embedding [add_embedding] down_blocks.N up_blocks.N mid_block conv_norm_out
/// conv_out`.
class UNet2dCondition {
public:
  UNet2dCondition(const Weights& weights, const UNetConfig& config, Attention kernel);
  /// context [B, M, C] in the model's dtype.
  [[nodiscard]] UNetText text(const at::Tensor& context, TextForm form) const;
  /// The times of N calls, one at each of `timesteps` [N], fp32. `images`: rows in each call.
  /// Without `added`, one row serves any number of images, but rounds differently. `guidance` [1],
  /// fp32: the scale, required by a UNet with takes_guidance().
  [[nodiscard]] UNetTimes times(const at::Tensor& timesteps, std::int64_t images,
                                const std::optional<AddedConditioning>& added,
                                const std::optional<at::Tensor>& guidance = std::nullopt) const;
  [[nodiscard]] bool takes_guidance() const { return guidance_width_.has_value(); }
  /// sample [B, in, h, w] in the model's dtype -> [T, out, h, w]. `text` has T rows: B or a
  /// multiple of it. With a multiple, all samples use the first text, then all use the second, and
  /// so on; the shared part is computed once, up to the first use of the text, and `time` must be
  /// one row for all. Any h and w: each upsampler takes the size of the skip that it meets.
  [[nodiscard]] at::Tensor operator()(const at::Tensor& sample, const UNetTime& time,
                                      const UNetText& text) const;

private:
  [[nodiscard]] at::Tensor embed_times(const at::Tensor& timesteps, std::int64_t images,
                                       const std::optional<AddedConditioning>& added,
                                       const std::optional<at::Tensor>& guidance) const;

  Conv2d conv_in_;
  TimestepEmbedding time_embedding_;
  SinusoidalEmbedding time_proj_; // no weights
  std::optional<std::int64_t> guidance_width_;
  std::optional<TimestepEmbedding> add_embedding_;
  std::optional<SinusoidalEmbedding> add_time_proj_; // no weights
  std::vector<UNetDownBlock> down_blocks_;
  std::vector<UNetUpBlock> up_blocks_;
  std::optional<UNetMidBlock> mid_block_;
  GroupNorm conv_norm_out_;
  Conv2d conv_out_;
};

} // namespace sdbench
