#include "resnet.h"

#include <cstddef>
#include <cstdint>
#include <string>

#include <ATen/ATen.h>

#include "sdbench/engine/nn/batch_norm.h"
#include "sdbench/engine/nn/conv.h"
#include "sdbench/engine/nn/layer_source.h"

namespace sdbench {
namespace {

std::vector<Bottleneck> bottlenecks(const Weights& weights, const NetworkConfig& config) {
  std::vector<Bottleneck> blocks;
  std::int64_t in = config.stem_channels;
  for (std::size_t stage = 0; stage < config.layers.size(); ++stage) {
    const std::int64_t width = config.stem_channels << stage;
    const std::int64_t out = width * config.expansion;
    for (std::int64_t block = 0; block < config.layers[stage]; ++block) {
      blocks.emplace_back(
          weights / ("layer" + std::to_string(stage + 1)) / block,
          Bottleneck::Shape{
              .in = in, .width = width, .out = out, .stride = stage > 0 && block == 0 ? 2 : 1});
      in = out;
    }
  }
  return blocks;
}

} // namespace

Bottleneck::Bottleneck(const Weights& weights, const Shape& shape)
    : first_(weights / "conv1", weights / "bn1",
             {.in = shape.in, .out = shape.width, .kernel = 1, .padding = 0}),
      second_(weights / "conv2", weights / "bn2",
              {.in = shape.width, .out = shape.width, .stride = shape.stride}),
      third_(weights / "conv3", weights / "bn3",
             {.in = shape.width, .out = shape.out, .kernel = 1, .padding = 0}) {
  if (shape.stride != 1 || shape.in != shape.out) {
    shortcut_.emplace(
        weights / "downsample" / 0, weights / "downsample" / 1,
        Conv2dShape{
            .in = shape.in, .out = shape.out, .kernel = 1, .stride = shape.stride, .padding = 0});
  }
}

at::Tensor Bottleneck::operator()(const at::Tensor& x, Mode mode) const {
  at::Tensor y = third_(second_.relu(first_.relu(x, mode), mode), mode);
  y += shortcut_ ? (*shortcut_)(x, mode) : x;
  return at::relu_(y);
}

Resnet::Resnet(const Weights& weights, const NetworkConfig& config)
    : stem_(weights / "conv1", weights / "bn1",
            {.in = config.input_channels,
             .out = config.stem_channels,
             .kernel = 7,
             .stride = 2,
             .padding = 3}),
      blocks_(bottlenecks(weights, config)),
      out_(weights / "fc", (config.stem_channels << (config.layers.size() - 1)) * config.expansion,
           config.classes) {}

at::Tensor Resnet::operator()(const at::Tensor& images, Mode mode) const {
  at::Tensor x = at::max_pool2d(stem_.relu(images, mode), {3, 3}, {2, 2}, {1, 1});
  for (const Bottleneck& block : blocks_) {
    x = block(x, mode);
  }
  return out_(mean_of_pixels(x));
}

} // namespace sdbench
