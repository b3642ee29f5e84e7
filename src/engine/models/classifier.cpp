#include "sdbench/engine/models/classifier.h"

#include <memory>
#include <utility>

#include <ATen/ATen.h>

#include "cnn.h"
#include "densenet.h"
#include "resnet.h"
#include "vgg.h"
#include "wide_resnet.h"

namespace sdbench {
namespace {

/// Takes weights from another source, and collects the parameters that training changes.
class ParameterSource final : public LayerSource {
public:
  ParameterSource(const Weights& weights, Gradients gradients)
      : weights_(weights), gradients_(gradients) {}

  at::Tensor take(const std::string& name, at::IntArrayRef shape) override {
    at::Tensor tensor = weights_.take(name, shape);
    if (is_running_statistic(name)) {
      return tensor.detach().clone(); // the source's tensor may lie in a file's read-only pages
    }
    if (gradients_ == Gradients::kYes) {
      tensor = tensor.detach().clone();
      tensor.set_requires_grad(true);
      parameters_.push_back({name, tensor});
    }
    return tensor;
  }
  [[nodiscard]] Packing packing() const override {
    return gradients_ == Gradients::kYes ? Packing::kNone : weights_.packing();
  }
  [[nodiscard]] bool folds_norms() const override {
    return gradients_ == Gradients::kNo && weights_.folds_norms();
  }

  [[nodiscard]] std::vector<NamedTensor> take_parameters() { return std::move(parameters_); }

private:
  const Weights& weights_;
  Gradients gradients_;
  std::vector<NamedTensor> parameters_;
};

Classifier::Network make_network(const NetworkConfig& config, const Weights& weights) {
  switch (config.kind) {
  case NetworkKind::kVgg:
    return Vgg(weights, config);
  case NetworkKind::kResnet:
    return Resnet(weights, config);
  case NetworkKind::kDensenet:
    return Densenet(weights, config);
  case NetworkKind::kCnn:
    return Cnn(weights, config);
  case NetworkKind::kWideResnet:
    return WideResnet(weights, config);
  }
  return {};
}

} // namespace

Classifier::Classifier(Network network, std::vector<NamedTensor> parameters)
    : network_(std::move(network)), parameters_(std::move(parameters)) {}

at::Tensor Classifier::operator()(const at::Tensor& images, Mode mode) const {
  return network_(images, mode);
}

Classifier make_classifier(const NetworkConfig& config, const Weights& weights,
                           Gradients gradients) {
  ParameterSource source(weights, gradients);
  Classifier::Network network = make_network(config, Weights(source));
  return {std::move(network), source.take_parameters()};
}

} // namespace sdbench
