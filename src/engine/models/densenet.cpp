#include "densenet.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include <ATen/ATen.h>

#include "sdbench/engine/kernels/cpu_joined_norm.h"
#include "sdbench/engine/nn/batch_norm.h"
#include "sdbench/engine/nn/conv.h"
#include "sdbench/engine/nn/layer_source.h"

namespace sdbench {

JoinedNorm::JoinedNorm(const Weights& weights, std::int64_t channels) : norm_(weights, channels) {
  if (weights.folds_norms()) {
    const ChannelScale norm = inference_scale(weights, channels);
    scale_ = {norm.scale.to(at::kFloat), norm.shift.to(at::kFloat)};
  }
}

at::Tensor JoinedNorm::operator()(const std::vector<at::Tensor>& parts, Mode mode) const {
  if (scale_ && can_join(parts)) {
    return joined_relu(parts, scale_->scale, scale_->shift);
  }
  at::Tensor y = norm_(at::cat(parts, 1), mode);
  return at::relu_(y);
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
      JoinedNorm norm(of_layer / "norm1", channels);
      ConvNorm narrow(of_layer / "conv1", of_layer / "norm2",
                      {.in = channels, .out = width, .kernel = 1, .padding = 0});
      Conv2d grow(of_layer / "conv2", {.in = width, .out = config.growth_rate, .bias = Bias::kNo});
      stage.layers.push_back({std::move(norm), std::move(narrow), std::move(grow)});
      channels += config.growth_rate;
    }
    if (index + 1 < config.layers.size()) {
      const Weights between = features / ("transition" + number);
      JoinedNorm norm(between / "norm", channels);
      Conv2d conv(
          between / "conv",
          {.in = channels, .out = channels / 2, .kernel = 1, .padding = 0, .bias = Bias::kNo});
      stage.transition.emplace(Transition{std::move(norm), std::move(conv)});
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
      norm_(weights / "features" / "norm5", features_of(config)), // its name for any block count
      out_(weights / "classifier", features_of(config), config.classes) {}

at::Tensor Densenet::operator()(const at::Tensor& images, Mode mode) const {
  std::vector<at::Tensor> features{
      at::max_pool2d(stem_.relu(images, mode), {3, 3}, {2, 2}, {1, 1})};
  for (const Stage& stage : stages_) {
    for (const Layer& layer : stage.layers) {
      features.push_back(layer.grow(layer.narrow.relu(layer.norm(features, mode), mode)));
    }
    if (const std::optional<Transition>& transition = stage.transition) {
      features = {
          at::avg_pool2d(transition->conv(transition->norm(features, mode)), {2, 2}, {2, 2})};
    }
  }
  return out_(mean_of_pixels(norm_(features, mode)));
}

} // namespace sdbench
