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

/// kYes if autograd must compute gradients of a network's parameters.
enum class Gradients { kNo, kYes };

/// A classifier of images as a value; its weights have torchvision's names. cnn's and
/// wide_resnet's, which torchvision has not, are in cnn.h and wide_resnet.h. Copies share their
/// weights. It computes by ATen's operators alone where it has gradients: autograd records them.
class Classifier {
public:
  using Network = std::function<at::Tensor(const at::Tensor&, Mode)>;
  Classifier(Network network, std::vector<NamedTensor> parameters);

  /// images [N, C, H, W] -> logits [N, classes]. See Mode.
  [[nodiscard]] at::Tensor operator()(const at::Tensor& images, Mode mode) const;

  /// What an optimiser changes: leaves of autograd, in the order of construction, which is that of
  /// torchvision's `parameters()`. Empty with Gradients::kNo.
  [[nodiscard]] const std::vector<NamedTensor>& parameters() const { return parameters_; }

private:
  Network network_;
  std::vector<NamedTensor> parameters_;
};

/// Builds the network of `config`. What training writes is a copy of its own: running statistics,
/// and with Gradients::kYes all parameters, which then are never packed. Whose weights fold norms,
/// it is for Mode::kInfer alone. Not to be called in
/// c10::InferenceMode with Gradients::kYes: autograd takes no tensor that was made there.
[[nodiscard]] Classifier make_classifier(const NetworkConfig& config, const Weights& weights,
                                         Gradients gradients = Gradients::kNo);

} // namespace sdbench
