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

/// One value for each block of a UNet.
template <class Part>
struct UNetParts {
  std::vector<Part> down;
  Part mid; ///< default-constructed if there is no middle block
  std::vector<Part> up;
};
/// The text inputs of all transformers of a UNet. Any number of UNet calls can use them.
using UNetText = UNetParts<BlockText>;
/// The projected time embeddings that a UNet's ResNet blocks add in one call.
using UNetTime = UNetParts<BlockTime>;

/// The UNetTime of several UNet calls, all computed at once. at() makes the views for one call,
/// when that call is due. A call has tens of views, which cost the host tens of microseconds. If
/// the views for all calls were made before the first call, a GPU would have to wait.
class UNetTimes {
public:
  UNetTimes() = default; ///< an object for 0 calls
  /// `all`: tensors [calls * images, ...]: first all rows of call 0, then those of call 1, …
  UNetTimes(UNetTime all, std::int64_t calls, std::int64_t images)
      : all_(std::move(all)), calls_(calls), images_(images) {}
  [[nodiscard]] std::int64_t size() const { return calls_; }
  /// `call` counts from 0. Throws std::out_of_range if `call` is not below size().
  [[nodiscard]] UNetTime at(std::int64_t call) const;
  [[nodiscard]] UNetTime front() const { return at(0); }
  [[nodiscard]] const UNetTime& all() const { return all_; } ///< the rows of all calls

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
  /// Makes the text input from `context` [B, M, C] in the model's dtype.
  [[nodiscard]] UNetText text(const at::Tensor& context, TextForm form) const;
  /// Computes the UNetTime of N calls, one for each of the fp32 `timesteps` [N]. `images`: batch
  /// size of each call. Without `added`, it may be 1, because all images then have equal
  /// embeddings (up to rounding). `guidance`: the scale [1], fp32; required if takes_guidance().
  [[nodiscard]] UNetTimes times(const at::Tensor& timesteps, std::int64_t images,
                                const std::optional<AddedConditioning>& added,
                                const std::optional<at::Tensor>& guidance = std::nullopt) const;
  [[nodiscard]] bool takes_guidance() const { return guidance_width_.has_value(); }
  /// sample [B, in, h, w] in the model's dtype -> [T, out, h, w]. `text` has T rows; T must be a
  /// multiple of B. If T > B, the first B rows of the result use the first B texts, the next B rows
  /// use the next B texts, and so on. In this case, the layers before the first use of the text are
  /// computed only once, and `time` must have one row. h and w may be any numbers: each upsampler
  /// enlarges to the size of the next skip connection.
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
