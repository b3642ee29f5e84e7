#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sdbench/engine/nn/resample.h"
#include "sdbench/engine/nn/resnet_block.h"
#include "sdbench/engine/nn/transformer_2d.h"

namespace sdbench {

/// The shape of all blocks of a UNet at one resolution.
struct UNetBlockShape {
  std::int64_t out = 0;
  std::int64_t time_channels = 0;
  std::int64_t norm_groups = 32;
  double norm_eps = 1e-5;
  /// Shape of the transformer after each ResNet block; empty in DownBlock2D and UpBlock2D, which
  /// have no transformers. TransformerShape::layers is ignored: see transformer_layers.
  std::optional<TransformerShape> transformer;
  std::vector<std::int64_t>
      transformer_layers; ///< number of layers of each transformer; empty without transformers
};

/// The text inputs of a block's transformers.
using BlockText = std::vector<TransformerText>;
/// For each ResNet block, its projected time embedding: see ResnetBlock::time_shifts.
using BlockTime = std::vector<at::Tensor>;

/// Base class of a UNet's blocks. Keys: `attentions.N resnets.N`.
class UNetBlock {
public:
  [[nodiscard]] BlockText text(const at::Tensor& states, TextForm form) const;
  [[nodiscard]] BlockTime time_shifts(const at::Tensor& time) const;

protected:
  /// `in`: input channels of each ResNet block.
  UNetBlock(const Weights& weights, const UNetBlockShape& shape,
            const std::vector<std::int64_t>& in);

  std::vector<Transformer2d> attentions_;
  std::vector<ResnetBlock> resnets_;
};

/// diffusers' CrossAttnDownBlock2D or DownBlock2D. Keys: `attentions.N resnets.N downsamplers.0`.
class UNetDownBlock final : public UNetBlock {
public:
  UNetDownBlock(const Weights& weights, const UNetBlockShape& shape, std::int64_t in,
                std::int64_t layers, bool downsample);
  /// x [B, in, H, W] -> [B, out, H, W]; a downsampler halves H and W. Appends to `skips` the output
  /// of each ResNet block (or of each transformer, if any), then the downsampler's output.
  [[nodiscard]] at::Tensor operator()(at::Tensor x, const BlockTime& time, const BlockText& text,
                                      std::vector<at::Tensor>& skips) const;

private:
  std::optional<Downsample2d> downsampler_;
};

/// diffusers' UNetMidBlock2DCrossAttn. Keys: `attentions.0 resnets.0 resnets.1`. Without a
/// transformer, it is a UNetMidBlock2D without attention, and has one ResNet block: `resnets.0`.
class UNetMidBlock final : public UNetBlock {
public:
  UNetMidBlock(const Weights& weights, const UNetBlockShape& shape);
  [[nodiscard]] at::Tensor operator()(const at::Tensor& x, const BlockTime& time,
                                      const BlockText& text) const; // shape kept
};

/// diffusers' CrossAttnUpBlock2D or UpBlock2D. Keys: `attentions.N resnets.N upsamplers.0`.
class UNetUpBlock final : public UNetBlock {
public:
  /// `in`: channels of x, the output of the preceding block. `skip_channels`: channels of each skip
  /// connection, in the order of use.
  UNetUpBlock(const Weights& weights, const UNetBlockShape& shape, std::int64_t in,
              const std::vector<std::int64_t>& skip_channels, bool upsample);
  /// Removes this block's skip connections from the end of `skips`. An upsampler then enlarges the
  /// result to the size of the last tensor that remains in `skips`.
  [[nodiscard]] at::Tensor operator()(at::Tensor x, const BlockTime& time, const BlockText& text,
                                      std::vector<at::Tensor>& skips) const;

private:
  std::optional<Upsample2d> upsampler_;
};

} // namespace sdbench
