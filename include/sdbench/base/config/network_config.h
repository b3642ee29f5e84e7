#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sdbench/base/files/json_io.h"

namespace sdbench {

/// Kinds of image classifiers: torchvision's VGG (without batch norm), ResNet (v1.5 with bottleneck
/// blocks) and DenseNet; a plain CNN of 3x3 convolutions with batch norm; and Zagoruyko's
/// WideResNet (pre-activation, without dropout).
enum class NetworkKind { kVgg, kResnet, kDensenet, kCnn, kWideResnet };

/// The kind's name in architecture documents: "vgg", "resnet", "densenet", "cnn", "wide_resnet".
[[nodiscard]] std::string_view name_of(NetworkKind kind);

/// Architecture of an image classifier (a "network"). A stage is a group of layers at one
/// resolution. If a member's comment begins with kinds ("vgg:"), only these kinds use the member.
struct NetworkConfig {
  NetworkKind kind = NetworkKind::kVgg;
  std::int64_t input_channels = 3;
  std::int64_t image_size = 224; ///< native side length of an image, in pixels
  std::int64_t classes = 1000;
  /// Per stage: number of convolutions (vgg, cnn) or of blocks (resnet, densenet, wide_resnet).
  std::vector<std::int64_t> layers;
  std::vector<std::int64_t> channels; ///< vgg, cnn: output channels of the convolutions, per stage
  /// resnet, densenet, wide_resnet: output channels of the first convolution. In stage s (the first
  /// is 0), the inner layers of a ResNet block have `stem_channels` * 2^s channels; the inner
  /// layers of a WideResNet block have `widen_factor` times as many.
  std::int64_t stem_channels = 0;
  std::int64_t expansion = 0;    ///< resnet: ratio of a block's output to its inner channels
  std::int64_t growth_rate = 0;  ///< densenet: channels that each layer adds
  std::int64_t bottleneck = 0;   ///< densenet: ratio of a layer's inner channels to growth_rate
  std::int64_t widen_factor = 0; ///< wide_resnet: factor of the inner channels, see stem_channels
  /// vgg: side length of the feature map that enters the linear layers.
  std::int64_t pooled_size = 0;
  std::int64_t hidden = 0; ///< vgg: output features of each of the two hidden linear layers
  double dropout = 0;      ///< vgg: dropout probability after each hidden layer, in training
};

/// Parses the object "network" of an architecture document. Its keys are "kind" and the names of
/// the NetworkConfig members that this kind uses. Keys with a default may be omitted:
/// "input_channels" (default 3), "image_size" (224), "classes" (1000) and "dropout" (0.5). `where`
/// appears in errors. Throws Error for an unknown kind, an unknown or missing key, and an
/// "image_size" below least_image_size().
[[nodiscard]] NetworkConfig parse_network_config(const Json& config, const std::string& where);

/// Side length in pixels of the smallest image for which every pooling layer still outputs at least
/// one pixel.
[[nodiscard]] std::int64_t least_image_size(const NetworkConfig& network);

} // namespace sdbench
