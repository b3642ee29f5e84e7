#include "sdbench/engine/models/unet_blocks.h"

#include <cstdint>
#include <utility>

#include <ATen/ATen.h>

#include "sdbench/engine/nn/layer_source.h"
#include "sdbench/engine/nn/transformer_block.h"
#include "sdbench/engine/nn/with_rows.h"

namespace sdbench {
namespace {

ResnetShape resnet_shape(const UNetBlockShape& shape, std::int64_t in) {
  return {.in = in,
          .out = shape.out,
          .time_channels = shape.time_channels,
          .norm_groups = shape.norm_groups,
          .norm_eps = shape.norm_eps};
}

std::vector<Transformer2d> make_attentions(const Weights& weights, const UNetBlockShape& shape) {
  std::vector<Transformer2d> attentions;
  for (std::size_t i = 0; i < shape.transformer_layers.size(); ++i) {
    TransformerShape one = shape.transformer.value();
    one.layers = shape.transformer_layers[i];
    attentions.emplace_back(weights / static_cast<std::int64_t>(i), one);
  }
  return attentions;
}

/// One ResNet block for each entry of `in`.
std::vector<ResnetBlock> make_resnets(const Weights& weights, const UNetBlockShape& shape,
                                      const std::vector<std::int64_t>& in) {
  std::vector<ResnetBlock> resnets;
  for (std::size_t i = 0; i < in.size(); ++i) {
    resnets.emplace_back(weights / static_cast<std::int64_t>(i), resnet_shape(shape, in[i]));
  }
  return resnets;
}

std::vector<std::int64_t> down_inputs(const UNetBlockShape& shape, std::int64_t in,
                                      std::int64_t layers) {
  std::vector<std::int64_t> inputs(static_cast<std::size_t>(layers), shape.out);
  inputs.front() = in;
  return inputs;
}

std::vector<std::int64_t> up_inputs(const UNetBlockShape& shape, std::int64_t in,
                                    const std::vector<std::int64_t>& skip_channels) {
  std::vector<std::int64_t> inputs;
  inputs.reserve(skip_channels.size());
  for (const std::int64_t skip : skip_channels) {
    inputs.push_back((inputs.empty() ? in : shape.out) + skip);
  }
  return inputs;
}

at::Tensor pop(std::vector<at::Tensor>& skips) {
  at::Tensor last = std::move(skips.back());
  skips.pop_back();
  return last;
}

} // namespace

UNetBlock::UNetBlock(const Weights& weights, const UNetBlockShape& shape,
                     const std::vector<std::int64_t>& in)
    : attentions_(make_attentions(weights / "attentions", shape)),
      resnets_(make_resnets(weights / "resnets", shape, in)) {
  for (std::size_t i = 0; i < attentions_.size(); ++i) { // each reads what its ResNet block makes
    attentions_[i].leave_bias_to(resnets_[i]);
  }
}

BlockText UNetBlock::text(const at::Tensor& states, TextForm form) const {
  BlockText text;
  for (const Transformer2d& attention : attentions_) {
    text.push_back(attention.text(states, form));
  }
  return text;
}

BlockTime UNetBlock::time_shifts(const at::Tensor& time) const {
  BlockTime shifts;
  for (const ResnetBlock& resnet : resnets_) {
    shifts.push_back(resnet.time_shifts(time));
  }
  return shifts;
}

UNetDownBlock::UNetDownBlock(const Weights& weights, const UNetBlockShape& shape, std::int64_t in,
                             std::int64_t layers, bool downsample)
    : UNetBlock(weights, shape, down_inputs(shape, in, layers)) {
  if (downsample) {
    downsampler_.emplace(weights / "downsamplers" / 0, shape.out);
  }
}

at::Tensor UNetDownBlock::operator()(at::Tensor x, const BlockTime& time, const BlockText& text,
                                     std::vector<at::Tensor>& skips) const {
  for (std::size_t i = 0; i < resnets_.size(); ++i) {
    x = resnets_[i](x, time.at(i));
    if (!attentions_.empty()) {
      x = attentions_[i](x, text.at(i));
    }
    skips.push_back(x);
  }
  if (downsampler_) {
    x = (*downsampler_)(x);
    skips.push_back(x);
  }
  return x;
}

UNetMidBlock::UNetMidBlock(const Weights& weights, const UNetBlockShape& shape)
    : UNetBlock(weights, shape,
                std::vector<std::int64_t>(shape.transformer_layers.size() + 1, shape.out)) {}

at::Tensor UNetMidBlock::operator()(const at::Tensor& x, const BlockTime& time,
                                    const BlockText& text) const {
  at::Tensor h = resnets_.front()(x, time.at(0));
  for (std::size_t i = 0; i < attentions_.size(); ++i) {
    h = resnets_[i + 1](attentions_[i](h, text.at(i)), time.at(i + 1));
  }
  return h;
}

UNetUpBlock::UNetUpBlock(const Weights& weights, const UNetBlockShape& shape, std::int64_t in,
                         const std::vector<std::int64_t>& skip_channels, bool upsample)
    : UNetBlock(weights, shape, up_inputs(shape, in, skip_channels)) {
  if (upsample) {
    upsampler_.emplace(weights / "upsamplers" / 0, shape.out);
  }
}

at::Tensor UNetUpBlock::operator()(at::Tensor x, const BlockTime& time, const BlockText& text,
                                   std::vector<at::Tensor>& skips) const {
  for (std::size_t i = 0; i < resnets_.size(); ++i) {
    x = resnets_[i](at::cat({x, with_rows(pop(skips), x.size(0))}, 1), time.at(i));
    if (!attentions_.empty()) {
      x = attentions_[i](x, text.at(i));
    }
  }
  if (upsampler_) {
    const at::Tensor& next = skips.back();
    x = (*upsampler_)(x, {next.size(2), next.size(3)});
  }
  return x;
}

} // namespace sdbench
