#include "sdbench/engine/nn/synthetic_scale.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "sdbench/base/types/component_table.h"

namespace sdbench {
namespace {

/// sd of n, uniform over the odd integers of [-65535, 65535], is sqrt((65536^2 - 1) / 3) = 65536 /
/// sqrt(3), nearly.
constexpr double kIntegerDeviation = 37837.2;
/// A power of two, so that 1 + factor * n is exact in fp32, whether or not a fused multiply-add
/// computes it: sd 0.072.
constexpr float kNormFactor = 0x1p-19F;
constexpr double kBiasDeviation = 0.05;

struct Gain {
  std::string_view ending; ///< of the name without ".weight"
  double gain;
  std::string_view beginning = {}; ///< of the name
};

/// The first match wins. After a SiLU or GELU the input's mean square is about 0.4; a gain of 1.7
/// compensates.
constexpr std::array kGains{
    // Attention: queries and keys large enough that the softmax is not flat.
    Gain{"to_q", 1.5}, Gain{"to_k", 1.5}, Gain{"q_proj", 1.5}, Gain{"k_proj", 1.5},
    // Ends of residual branches.
    Gain{"self_attn.out_proj", 0.5}, Gain{"mlp.fc2", 0.4}, Gain{"to_out.0", 0.8},
    Gain{"ff.net.2", 0.6}, Gain{"conv2", 0.6}, Gain{"proj_out", 0.4},
    // After a SiLU.
    Gain{"conv1", 1.7}, Gain{"time_emb_proj", 0.9}, Gain{"embedding.linear_2", 1.7},
    Gain{"decoder.conv_out", 0.9}, Gain{"conv_out", 1.7},
    // After sinusoids, whose mean square is 0.5.
    Gain{"embedding.linear_1", 1.4},
    // Latents divided by the scaling factor are large: this UNet does not remove the noise.
    Gain{"post_quant_conv", 0.1}, Gain{"decoder.conv_in", 0.3}};

/// For networks (torchvision's names): compensates for a ReLU, which halves the mean square. Not
/// used at the end of a residual branch, at a shortcut or for the logits.
constexpr double kReluGain = 1.4142135623730951;
constexpr std::array kNetworkGains{Gain{"conv3", 0.2},       Gain{"conv2", 0.5, "group"},
                                   Gain{"shortcut", 1.0},    Gain{"downsample.0", 1.0},
                                   Gain{"fc", 1.0},          Gain{"classifier", 1.0},
                                   Gain{"classifier.6", 1.0}};

double gain_of(std::span<const Gain> gains, std::string_view layer, double otherwise) {
  const auto found = std::ranges::find_if(gains, [layer](const Gain& gain) {
    return layer.ends_with(gain.ending) && layer.starts_with(gain.beginning);
  });
  return found == gains.end() ? otherwise : found->gain;
}

SyntheticScale with_deviation(double deviation) {
  return {static_cast<float>(deviation / kIntegerDeviation), 0.0F};
}

SyntheticScale of_fan_in(std::span<const std::int64_t> shape, double gain) {
  double fan_in = 1;
  for (const std::int64_t size : shape.subspan(1)) {
    fan_in *= static_cast<double>(size);
  }
  return with_deviation(gain / std::sqrt(std::max(fan_in, 1.0)));
}

std::string_view layer_of(std::string_view name) {
  name.remove_suffix(std::min(name.size(), std::string_view(".weight").size()));
  return name;
}

SyntheticScale network_scale(std::string_view name, std::span<const std::int64_t> shape) {
  if (name == "images") {
    return with_deviation(1.0);
  }
  if (name.ends_with("running_var") || (name.ends_with("weight") && shape.size() < 2)) {
    return {kNormFactor, 1.0F};
  }
  return name.ends_with("weight")
             ? of_fan_in(shape, gain_of(kNetworkGains, layer_of(name), kReluGain))
             : with_deviation(kBiasDeviation);
}

} // namespace

SyntheticScale synthetic_scale(std::string_view component, std::string_view name,
                               std::span<const std::int64_t> shape) {
  if (component == folder_name(Component::kNetwork)) {
    return network_scale(name, shape);
  }
  if (!name.ends_with("weight")) {
    return with_deviation(kBiasDeviation);
  }
  if (shape.size() < 2) {
    return {kNormFactor, 1.0F};
  }
  if (name.ends_with("token_embedding.weight")) {
    return with_deviation(0.7);
  }
  if (name.ends_with("position_embedding.weight")) {
    return with_deviation(0.5);
  }
  return of_fan_in(shape, gain_of(kGains, layer_of(name), 1.0));
}

} // namespace sdbench
