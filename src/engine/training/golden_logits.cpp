#include "sdbench/engine/training/golden_logits.h"

#include <algorithm>
#include <cstddef>

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include "sdbench/base/config/network_config.h"
#include "sdbench/base/types/component_table.h"
#include "sdbench/base/weights/golden_file.h"
#include "sdbench/base/weights/tensor_view.h"
#include "sdbench/engine/nn/batch_norm.h"
#include "sdbench/engine/nn/scalar_type.h"
#include "sdbench/engine/nn/synthetic_source.h"

namespace sdbench {
namespace {

/// Copy of the values, in fp64 on the CPU.
at::Tensor numbers_of(const TensorView& view) {
  const at::Tensor copy =
      at::empty(view.shape, at::device(at::kCPU).dtype(to_scalar_type(view.dtype)));
  std::copy(view.data.begin(), view.data.end(), static_cast<std::byte*>(copy.data_ptr()));
  return copy.to(at::kDouble);
}

} // namespace

at::Tensor synthetic_images(const NetworkConfig& network, std::int64_t count, std::uint64_t seed,
                            at::ScalarType dtype, at::Device device) {
  SyntheticSource source(seed, folder_name(Component::kNetwork), dtype, device);
  return source.take("images",
                     {count, network.input_channels, network.image_size, network.image_size});
}

std::optional<double> golden_logits_error(const Classifier& classifier, const ModelConfig& model,
                                          at::ScalarType dtype, at::Device device,
                                          const std::filesystem::path& folder) {
  const std::optional<GoldenFile> golden = find_golden_file(model, folder);
  if (!golden) {
    return std::nullopt;
  }
  const at::Tensor expected = numbers_of(golden->logits());
  const at::NoGradGuard no_gradients;
  const at::Tensor images =
      synthetic_images(model.network.value(), expected.size(0), 0, dtype, device);
  const at::Tensor ours = classifier(images, Mode::kInfer).to(at::kCPU, at::kDouble);
  return ((ours - expected).abs().max() / expected.abs().max()).item<double>();
}

} // namespace sdbench
