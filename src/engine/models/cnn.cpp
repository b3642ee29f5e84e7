#include "cnn.h"

#include <cstddef>
#include <cstdint>

#include <ATen/ATen.h>

#include "sdbench/engine/nn/batch_norm.h"
#include "sdbench/engine/nn/conv.h"
#include "sdbench/engine/nn/layer_source.h"

namespace sdbench {
namespace {

std::vector<std::vector<ConvNorm>> cnn_stages(const Weights& weights, const NetworkConfig& config) {
  std::vector<std::vector<ConvNorm>> stages;
  std::int64_t in = config.input_channels;
  for (std::size_t stage = 0; stage < config.layers.size(); ++stage) {
    std::vector<ConvNorm>& layers = stages.emplace_back();
    for (std::int64_t layer = 0; layer < config.layers[stage]; ++layer) {
      const Weights of_layer = weights / static_cast<std::int64_t>(stage) / layer;
      layers.emplace_back(of_layer / "conv", of_layer / "bn",
                          Conv2dShape{.in = in, .out = config.channels[stage]});
      in = config.channels[stage];
    }
  }
  return stages;
}

} // namespace

Cnn::Cnn(const Weights& weights, const NetworkConfig& config)
    : stages_(cnn_stages(weights / "stages", config)),
      out_(weights / "fc", config.channels.back(), config.classes) {}

at::Tensor Cnn::operator()(const at::Tensor& images, Mode mode) const {
  at::Tensor x = images;
  for (std::size_t stage = 0; stage < stages_.size(); ++stage) {
    if (stage > 0) {
      x = at::avg_pool2d(x, {2, 2});
    }
    for (const ConvNorm& layer : stages_[stage]) {
      x = layer.relu(x, mode);
    }
  }
  return out_(mean_of_pixels(x));
}

} // namespace sdbench
