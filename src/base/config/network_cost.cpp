#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "cost.h"
#include "sdbench/base/config/model_cost.h"
#include "sdbench/base/config/network_config.h"

namespace sdbench {
namespace {

using cost::Cost;
using cost::Size;

/// Elements kept for each result of a max pool: the result, and its position in the input in 64
/// bits.
constexpr double kPoolWithPlaces = 3;

/// A convolution without bias and a batch norm of `normed` channels, before or after it.
Cost normed_conv(std::int64_t in, std::int64_t out, std::int64_t kernel, Size from, Size to,
                 std::int64_t normed) {
  return cost::conv(in, out, kernel, from, to, cost::Bias::kNo) + cost::norm(normed);
}

/// Walks through a network like its forward pass, and adds up.
class NetworkCount {
public:
  explicit NetworkCount(const NetworkConfig& config)
      : config_(config), size_{config.image_size, config.image_size},
        channels_(config.input_channels) {}

  /// Counts the whole network.
  NetworkCount& run() {
    switch (config_.kind) {
    case NetworkKind::kVgg:
      vgg();
      break;
    case NetworkKind::kResnet:
      resnet();
      break;
    case NetworkKind::kDensenet:
      densenet();
      break;
    case NetworkKind::kCnn:
      cnn();
      break;
    case NetworkKind::kWideResnet:
      wide_resnet();
      break;
    }
    add(cost::linear(channels_, config_.classes, 1));
    return *this;
  }

  [[nodiscard]] const Cost& total() const { return total_; }
  [[nodiscard]] const NetworkResults& results() const { return results_; }

private:
  void add(const Cost& layer) {
    total_ += layer;
    results_.all += layer.moved;
    results_.largest = std::max(results_.largest, layer.moved);
  }
  /// Keeps `times` results of so many channels: a norm needs the convolution's output, and the next
  /// convolution the output of the norm, or of its ReLU in place.
  void keep(double times, std::int64_t channels, Size size) {
    results_.kept += times * cost::real(channels) * size.area();
  }
  [[nodiscard]] std::size_t stages() const { return config_.layers.size(); }
  /// Only the first block of a later stage halves the image.
  [[nodiscard]] Size behind_block(std::size_t stage, std::int64_t block) const {
    return stage > 0 && block == 0 ? size_.halved() : size_;
  }

  void vgg() {
    for (std::size_t stage = 0; stage < stages(); ++stage) {
      for (std::int64_t layer = 0; layer < config_.layers[stage]; ++layer) {
        add(cost::conv(channels_, config_.channels[stage], 3, size_));
        channels_ = config_.channels[stage];
        keep(1, channels_, size_);
      }
      size_ = size_.pooled();
      keep(kPoolWithPlaces, channels_, size_);
    }
    add(cost::linear(channels_ * config_.pooled_size * config_.pooled_size, config_.hidden, 1));
    add(cost::linear(config_.hidden, config_.hidden, 1));
    channels_ = config_.hidden;
  }

  /// A 7x7 convolution of stride 2 and a pool of stride 2.
  void stem() {
    add(normed_conv(channels_, config_.stem_channels, 7, size_, size_.halved(),
                    config_.stem_channels));
    channels_ = config_.stem_channels;
    size_ = size_.halved();
    keep(2, channels_, size_);
    size_ = size_.halved();
    keep(kPoolWithPlaces, channels_, size_);
  }

  void resnet() {
    stem();
    for (std::size_t stage = 0; stage < stages(); ++stage) {
      const std::int64_t width = config_.stem_channels << stage;
      const std::int64_t out = width * config_.expansion;
      for (std::int64_t block = 0; block < config_.layers[stage]; ++block) {
        const Size next = behind_block(stage, block);
        add(normed_conv(channels_, width, 1, size_, size_, width));
        keep(2, width, size_);
        add(normed_conv(width, width, 3, size_, next, width));
        keep(2, width, next);
        add(normed_conv(width, out, 1, next, next, out));
        keep(2, out, next);
        if (channels_ != out || (stage > 0 && block == 0)) {
          add(normed_conv(channels_, out, 1, size_, next, out));
          keep(1, out, next);
        }
        channels_ = out;
        size_ = next;
      }
    }
  }

  void densenet() {
    stem();
    for (std::size_t stage = 0; stage < stages(); ++stage) {
      for (std::int64_t layer = 0; layer < config_.layers[stage]; ++layer) {
        const std::int64_t width = config_.bottleneck * config_.growth_rate;
        keep(2, channels_, size_); // all earlier outputs side by side, and their norm
        add(normed_conv(channels_, width, 1, size_, size_, channels_));
        keep(2, width, size_);
        add(normed_conv(width, config_.growth_rate, 3, size_, size_, width));
        channels_ += config_.growth_rate;
      }
      if (stage + 1 < stages()) {
        keep(2, channels_, size_);
        add(normed_conv(channels_, channels_ / 2, 1, size_, size_, channels_));
        channels_ /= 2;
        keep(1, channels_, size_);
        size_ = size_.pooled();
      }
    }
    add(cost::norm(channels_));
    keep(2, channels_, size_);
  }

  void cnn() {
    for (std::size_t stage = 0; stage < stages(); ++stage) {
      if (stage > 0) {
        size_ = size_.pooled();
        keep(1, channels_, size_);
      }
      for (std::int64_t layer = 0; layer < config_.layers[stage]; ++layer) {
        const std::int64_t out = config_.channels[stage];
        add(normed_conv(channels_, out, 3, size_, size_, out));
        channels_ = out;
        keep(2, channels_, size_);
      }
    }
  }

  void wide_resnet() {
    add(cost::conv(channels_, config_.stem_channels, 3, size_, size_, cost::Bias::kNo));
    channels_ = config_.stem_channels;
    keep(1, channels_, size_);
    for (std::size_t stage = 0; stage < stages(); ++stage) {
      const std::int64_t out = (config_.stem_channels * config_.widen_factor) << stage;
      for (std::int64_t block = 0; block < config_.layers[stage]; ++block) {
        const Size next = behind_block(stage, block);
        keep(1, channels_, size_);
        add(normed_conv(channels_, out, 3, size_, next, channels_));
        keep(2, out, next);
        add(normed_conv(out, out, 3, next, next, out));
        keep(1, out, next);
        if (channels_ != out) {
          add(cost::conv(channels_, out, 1, size_, next, cost::Bias::kNo));
        }
        channels_ = out;
        size_ = next;
      }
    }
    add(cost::norm(channels_));
    keep(1, channels_, size_);
  }

  const NetworkConfig& config_;
  Size size_;
  std::int64_t channels_;
  Cost total_;
  NetworkResults results_;
};

} // namespace

double network_macs(const NetworkConfig& config) {
  return NetworkCount(config).run().total().macs;
}

double network_parameters(const NetworkConfig& config) {
  return NetworkCount(config).run().total().parameters;
}

NetworkResults network_results(const NetworkConfig& config) {
  return NetworkCount(config).run().results();
}

} // namespace sdbench
