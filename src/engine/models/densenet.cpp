#include "densenet.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include <ATen/ATen.h>

namespace sdbench {

NormConv::NormConv(const Weights& norm_weights, const Weights& conv_weights, Conv2dShape shape)
    : norm_(norm_weights, shape.in), conv_(conv_weights, [&] {
        shape.bias = Bias::kNo;
        return shape;
      }()) {}

at::Tensor NormConv::operator()(const at::Tensor& x, Mode mode) const {
  at::Tensor y = norm_(x, mode);
  return conv_(at::relu_(y));
}

std::vector<Densenet::Stage> Densenet::make_stages(const Weights& features,
                                                   const NetworkConfig& config) {
  std::vector<Stage> stages;
  std::int64_t channels = config.stem_channels;
  const std::int64_t width = config.bottleneck * config.growth_rate;
  for (std::size_t index = 0; index < config.layers.size(); ++index) {
    const std::string number = std::to_string(index + 1);
    Stage& stage = stages.emplace_back();
    for (std::int64_t layer = 0; layer < config.layers[index]; ++layer) {
      const Weights of_layer =
          features / ("denseblock" + number) / ("denselayer" + std::to_string(layer + 1));
      BatchNorm2d norm(of_layer / "norm1", channels);
      ConvNorm narrow(of_layer / "conv1", of_layer / "norm2",
                      {.in = channels, .out = width, .kernel = 1, .padding = 0});
      Conv2d grow(of_layer / "conv2", {.in = width, .out = config.growth_rate, .bias = Bias::kNo});
      stage.layers.push_back({std::move(norm), std::move(narrow), std::move(grow)});
      channels += config.growth_rate;
    }
    if (index + 1 < config.layers.size()) {
      const Weights between = features / ("transition" + number);
      stage.transition.emplace(
          between / "norm", between / "conv",
          Conv2dShape{.in = channels, .out = channels / 2, .kernel = 1, .padding = 0});
      channels /= 2;
    }
  }
  return stages;
}

std::int64_t Densenet::features_of(const NetworkConfig& config) {
  std::int64_t channels = config.stem_channels;
  for (std::size_t stage = 0; stage < config.layers.size(); ++stage) {
    channels = (stage > 0 ? channels / 2 : channels) + config.layers[stage] * config.growth_rate;
  }
  return channels;
}

Densenet::Densenet(const Weights& weights, const NetworkConfig& config)
    : stem_(weights / "features" / "conv0", weights / "features" / "norm0",
            {.in = config.input_channels,
             .out = config.stem_channels,
             .kernel = 7,
             .stride = 2,
             .padding = 3}),
      stages_(make_stages(weights / "features", config)),
      norm_(weights / "features" / "norm5", features_of(config)), // by this name after any number
      out_(weights / "classifier", features_of(config), config.classes) {}

at::Tensor Densenet::operator()(const at::Tensor& images, Mode mode) const {
  at::Tensor x = at::max_pool2d(stem_.relu(images, mode), {3, 3}, {2, 2}, {1, 1});
  for (const Stage& stage : stages_) {
    std::vector<at::Tensor> features{x};
    for (const Layer& layer : stage.layers) {
      at::Tensor y = layer.norm(at::cat(features, 1), mode);
      features.push_back(layer.grow(layer.narrow.relu(at::relu_(y), mode)));
    }
    x = at::cat(features, 1);
    if (stage.transition) {
      x = at::avg_pool2d((*stage.transition)(x, mode), {2, 2}, {2, 2});
    }
  }
  x = norm_(x, mode);
  return out_(mean_of_pixels(at::relu_(x)));
}

} // namespace sdbench
