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

/// Whether autograd must be able to compute gradients of a network's parameters.
enum class Gradients { kNo, kYes };

/// An image classifier, as a value type: copies share their weights. The weights have torchvision's
/// names; for networks that torchvision lacks, cnn.h and wide_resnet.h define the names. With
/// Gradients::kYes it computes only with ATen's operators, because autograd records only those.
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

/// Builds the network of `config`. Copies the tensors that training changes: running statistics,
/// and with Gradients::kYes all parameters. Packs weights and folds norms only with Gradients::kNo,
/// and only if `weights` asks for it. Folded norms allow only Mode::kInfer. With kYes, do not call
/// this in c10::InferenceMode: autograd accepts no tensor that was made in that mode.
[[nodiscard]] Classifier make_classifier(const NetworkConfig& config, const Weights& weights,
                                         Gradients gradients = Gradients::kNo);

} // namespace sdbench
