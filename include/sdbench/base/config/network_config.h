#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sdbench/base/files/json_io.h"

namespace sdbench {

/// Classifiers of images: torchvision's VGG (without batch norm), ResNet (v1.5, of bottlenecks) and
/// DenseNet; a plain network of 3x3 convolutions with batch norm; and Zagoruyko's WideResNet
/// (pre-activation, without dropout).
enum class NetworkKind { kVgg, kResnet, kDensenet, kCnn, kWideResnet };

/// Its name in architecture documents: "vgg", "resnet", "densenet", "cnn", "wide_resnet".
[[nodiscard]] std::string_view name_of(NetworkKind kind);

/// A classifier of images. A stage is a group of layers at one resolution.
struct NetworkConfig {
  NetworkKind kind = NetworkKind::kVgg;
  std::int64_t input_channels = 3;
  std::int64_t image_size = 224; ///< native pixels a side
  std::int64_t classes = 1000;
  /// Per stage: number of convolutions (vgg, cnn) or of blocks (resnet, densenet, wide_resnet).
  std::vector<std::int64_t> layers;
  std::vector<std::int64_t> channels; ///< vgg, cnn: of each stage's convolutions
  /// Channels of the first convolution (resnet, densenet, wide_resnet). ResNet's stage s is
  /// `stem_channels` * 2^s wide inside its blocks, WideResNet's `widen_factor` times that.
  std::int64_t stem_channels = 0;
  std::int64_t expansion = 0;    ///< resnet: a block's output by the width inside
  std::int64_t growth_rate = 0;  ///< densenet: channels that a layer adds
  std::int64_t bottleneck = 0;   ///< densenet: the width inside a layer by the growth rate
  std::int64_t widen_factor = 0; ///< wide_resnet
  std::int64_t pooled_size = 0;  ///< vgg: pixels a side at the input of the linear layers
  std::int64_t hidden = 0;       ///< vgg: width of the two hidden linear layers
  double dropout = 0;            ///< vgg: after each hidden layer, in training
};

/// The object "network" of an architecture document: "kind", and those members above that the kind
/// has, by name. "input_channels" (3), "image_size" (224), "classes" (1000) and "dropout" (0.5) may
/// be omitted. `where` appears in errors. Throws Error for an unknown kind, an unknown or missing
/// key, and an image that is too small for the network's pools.
[[nodiscard]] NetworkConfig parse_network_config(const Json& config, const std::string& where);

/// Pixels a side of the smallest image from which every pool still yields a pixel.
[[nodiscard]] std::int64_t least_image_size(const NetworkConfig& network);

} // namespace sdbench
