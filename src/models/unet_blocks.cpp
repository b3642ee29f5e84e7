#include "sdbench/models/unet_blocks.h"

#include <utility>

#include <ATen/ATen.h>

namespace sdbench {
namespace {

ResnetShape resnet_shape(const UNetBlockShape& shape, std::int64_t in) {
  return {.in = in,
          .out = shape.out,
          .time_channels = shape.time_channels,
          .norm_groups = shape.norm_groups,
          .norm_eps = shape.norm_eps};
}

std::vector<Transformer2d> make_attentions(const Weights& weights, const UNetBlockShape& shape,
                                           std::size_t count) {
  std::vector<Transformer2d> attentions;
  for (std::size_t i = 0; shape.transformer && i < count; ++i) {
    attentions.emplace_back(weights / static_cast<std::int64_t>(i), *shape.transformer);
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

UNetDownBlock::UNetDownBlock(const Weights& weights, const UNetBlockShape& shape, std::int64_t in,
                             std::int64_t layers, bool downsample)
    : attentions_(make_attentions(weights / "attentions", shape, static_cast<std::size_t>(layers))),
      resnets_(make_resnets(weights / "resnets", shape, down_inputs(shape, in, layers))) {
  if (downsample) {
    downsampler_.emplace(weights / "downsamplers" / 0, shape.out);
  }
}

at::Tensor UNetDownBlock::operator()(at::Tensor x, const at::Tensor& time,
                                     const at::Tensor& context,
                                     std::vector<at::Tensor>& skips) const {
  for (std::size_t i = 0; i < resnets_.size(); ++i) {
    x = resnets_[i](x, time);
    if (!attentions_.empty()) {
      x = attentions_[i](x, context);
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
    : attention_(weights / "attentions" / 0, shape.transformer.value()),
      first_(weights / "resnets" / 0, resnet_shape(shape, shape.out)),
      second_(weights / "resnets" / 1, resnet_shape(shape, shape.out)) {}

at::Tensor UNetMidBlock::operator()(const at::Tensor& x, const at::Tensor& time,
                                    const at::Tensor& context) const {
  return second_(attention_(first_(x, time), context), time);
}

UNetUpBlock::UNetUpBlock(const Weights& weights, const UNetBlockShape& shape, std::int64_t in,
                         const std::vector<std::int64_t>& skip_channels, bool upsample)
    : attentions_(make_attentions(weights / "attentions", shape, skip_channels.size())),
      resnets_(make_resnets(weights / "resnets", shape, up_inputs(shape, in, skip_channels))) {
  if (upsample) {
    upsampler_.emplace(weights / "upsamplers" / 0, shape.out);
  }
}

at::Tensor UNetUpBlock::operator()(at::Tensor x, const at::Tensor& time, const at::Tensor& context,
                                   std::vector<at::Tensor>& skips) const {
  for (std::size_t i = 0; i < resnets_.size(); ++i) {
    x = resnets_[i](at::cat({x, pop(skips)}, 1), time);
    if (!attentions_.empty()) {
      x = attentions_[i](x, context);
    }
  }
  if (upsampler_) {
    const at::Tensor& next = skips.back();
    x = (*upsampler_)(x, {next.size(2), next.size(3)});
  }
  return x;
}

} // namespace sdbench
