#include "wide_resnet.h"

#include <cstddef>
#include <cstdint>
#include <string>

#include <ATen/ATen.h>

#include "conv_norm.h"

namespace sdbench {
namespace {

std::int64_t width_of(const NetworkConfig& config, std::size_t stage) {
  return (config.stem_channels * config.widen_factor) << stage;
}

std::vector<PreactivationBlock> preactivation_blocks(const Weights& weights,
                                                     const NetworkConfig& config) {
  std::vector<PreactivationBlock> blocks;
  std::int64_t in = config.stem_channels;
  for (std::size_t stage = 0; stage < config.layers.size(); ++stage) {
    const Weights group = weights / ("group" + std::to_string(stage + 1));
    const std::int64_t out = width_of(config, stage);
    for (std::int64_t block = 0; block < config.layers[stage]; ++block) {
      blocks.emplace_back(group / block, in, out, stage > 0 && block == 0 ? 2 : 1);
      in = out;
    }
  }
  return blocks;
}

at::Tensor relu_of_norm(const BatchNorm2d& norm, const at::Tensor& x, Mode mode) {
  at::Tensor y = norm(x, mode);
  return at::relu_(y);
}

} // namespace

PreactivationBlock::PreactivationBlock(const Weights& weights, std::int64_t in, std::int64_t out,
                                       std::int64_t stride)
    : norm_1_(weights / "bn1", in),
      conv_1_(weights / "conv1", {.in = in, .out = out, .stride = stride, .bias = Bias::kNo}),
      norm_2_(weights / "bn2", out),
      conv_2_(weights / "conv2", {.in = out, .out = out, .bias = Bias::kNo}) {
  if (in != out) {
    shortcut_.emplace(
        weights / "shortcut",
        Conv2dShape{
            .in = in, .out = out, .kernel = 1, .stride = stride, .padding = 0, .bias = Bias::kNo});
  }
}

at::Tensor PreactivationBlock::operator()(const at::Tensor& x, Mode mode) const {
  const at::Tensor active = relu_of_norm(norm_1_, x, mode);
  at::Tensor y = conv_2_(relu_of_norm(norm_2_, conv_1_(active), mode));
  y += shortcut_ ? (*shortcut_)(active) : x;
  return y;
}

WideResnet::WideResnet(const Weights& weights, const NetworkConfig& config)
    : stem_(weights / "conv1",
            {.in = config.input_channels, .out = config.stem_channels, .bias = Bias::kNo}),
      blocks_(preactivation_blocks(weights, config)),
      norm_(weights / "bn", width_of(config, config.layers.size() - 1)),
      out_(weights / "fc", width_of(config, config.layers.size() - 1), config.classes) {}

at::Tensor WideResnet::operator()(const at::Tensor& images, Mode mode) const {
  at::Tensor x = stem_(images);
  for (const PreactivationBlock& block : blocks_) {
    x = block(x, mode);
  }
  return out_(mean_of_pixels(relu_of_norm(norm_, x, mode)));
}

} // namespace sdbench
