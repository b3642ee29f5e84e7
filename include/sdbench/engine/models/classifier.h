#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sdbench/base/config/network_config.h"
#include "sdbench/engine/nn/batch_norm.h"
#include "sdbench/engine/nn/layer_source.h"

namespace sdbench {

struct NamedTensor {
  std::string name;
  at::Tensor tensor;
};

/// kYes: autograd must compute gradients of a network's parameters.
enum class Gradients { kNo, kYes };

/// A classifier of images as a value. Its weights have torchvision's names; cnn.h and wide_resnet.h
/// give the names for networks that torchvision lacks. Copies share their weights. With gradients,
/// it computes only with ATen's operators, because autograd records those.
class Classifier {
public:
  using Network = std::function<at::Tensor(const at::Tensor&, Mode)>;
  Classifier(Network network, std::vector<NamedTensor> parameters);

  /// images [N, C, H, W] -> logits [N, classes]. See Mode.
  [[nodiscard]] at::Tensor operator()(const at::Tensor& images, Mode mode) const;

  /// The parameters for an optimiser: leaves of autograd, in the order of construction, which is
  /// that of torchvision's `parameters()`. Empty with Gradients::kNo.
  [[nodiscard]] const std::vector<NamedTensor>& parameters() const { return parameters_; }

private:
  Network network_;
  std::vector<NamedTensor> parameters_;
};

/// Builds the network of `config`. Copies what training changes: running statistics, and with
/// Gradients::kYes all parameters, which then are never packed. If the weights fold norms, the
/// network is only for Mode::kInfer. Must not be called in c10::InferenceMode with Gradients::kYes:
/// autograd accepts no tensor that was made there.
[[nodiscard]] Classifier make_classifier(const NetworkConfig& config, const Weights& weights,
                                         Gradients gradients = Gradients::kNo);

} // namespace sdbench
