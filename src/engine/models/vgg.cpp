#include "vgg.h"

#include <cstddef>
#include <cstdint>

#include <ATen/ATen.h>

#include "sdbench/engine/nn/layer_source.h"
#include "sdbench/engine/nn/packed_weights.h"

namespace sdbench {
namespace {

/// `features` counts its layers including the ReLU after each convolution and the pool after each
/// stage.
std::vector<std::vector<Conv2d>> vgg_stages(const Weights& features, const NetworkConfig& config) {
  std::vector<std::vector<Conv2d>> stages;
  std::int64_t in = config.input_channels;
  std::int64_t index = 0;
  for (std::size_t stage = 0; stage < config.layers.size(); ++stage) {
    std::vector<Conv2d>& layers = stages.emplace_back();
    for (std::int64_t layer = 0; layer < config.layers[stage]; ++layer) {
      const std::int64_t out = config.channels[stage];
      layers.emplace_back(features / index, Conv2dShape{.in = in, .out = out});
      in = out;
      index += 2;
    }
    ++index;
  }
  return stages;
}

} // namespace

Vgg::Vgg(const Weights& weights, const NetworkConfig& config)
    : stages_(vgg_stages(weights / "features", config)), pooled_size_(config.pooled_size),
      dropout_(config.dropout),
      hidden_1_(weights / "classifier" / 0,
                config.channels.back() * config.pooled_size * config.pooled_size, config.hidden),
      hidden_2_(weights / "classifier" / 3, config.hidden, config.hidden),
      out_(weights / "classifier" / 6, config.hidden, config.classes) {}

at::Tensor Vgg::operator()(const at::Tensor& images, Mode mode) const {
  at::Tensor x = images;
  for (const std::vector<Conv2d>& stage : stages_) {
    for (const Conv2d& conv : stage) {
      x = conv(x, Activation::kRelu);
    }
    x = at::max_pool2d(x, {2, 2});
  }
  x = at::adaptive_avg_pool2d(x, {pooled_size_, pooled_size_}).flatten(1);
  for (const Linear* hidden : {&hidden_1_, &hidden_2_}) {
    x = (*hidden)(x);
    at::relu_(x);
    x = at::dropout(x, dropout_, mode == Mode::kTrain);
  }
  return out_(x);
}

} // namespace sdbench
