#include "sdbench/engine/models/component_tensors.h"

#include <cstdint>

#include "sdbench/base/config/model_family_table.h"
#include "sdbench/base/types/dtype.h"
#include "sdbench/engine/models/autoencoder_kl.h"
#include "sdbench/engine/models/classifier.h"
#include "sdbench/engine/models/clip_text_model.h"
#include "sdbench/engine/models/unet_2d_condition.h"
#include "sdbench/engine/nn/attention_kernel.h"
#include "sdbench/engine/nn/layer_source.h"
#include "sdbench/engine/nn/recording_source.h"
#include "sdbench/engine/nn/scalar_type.h"

namespace sdbench {

std::vector<Component> components_of(const ModelConfig& config) {
  if (config.network) {
    return {Component::kNetwork};
  }
  std::vector<Component> components;
  for (const ModelPart& part : family_of(config.pipeline).parts) {
    components.push_back(part.component);
  }
  return components;
}

std::vector<TensorDeclaration> component_tensors(const ModelConfig& config, Component component,
                                                 Dtype dtype, VaeParts parts) {
  RecordingSource source(to_scalar_type(dtype));
  const Weights weights(source);
  switch (component) {
  case Component::kTextEncoder:
  case Component::kTextEncoder2:
    static_cast<void>(ClipTextModel(weights, text_encoder(config, component)->model));
    break;
  case Component::kUNet:
    static_cast<void>(UNet2dCondition(weights, unet_of(config), Attention::kAuto));
    break;
  case Component::kVae:
    if (parts == VaeParts::kWhole) {
      declare_vae_encoder(weights, config.vae);
    }
    static_cast<void>(AutoencoderKl(weights, config.vae));
    break;
  case Component::kNetwork:
    static_cast<void>(make_classifier(config.network.value(), weights));
    break;
  }
  return source.tensors();
}

std::int64_t byte_count(const std::vector<TensorDeclaration>& tensors) {
  std::int64_t total = 0;
  for (const TensorDeclaration& tensor : tensors) {
    auto bytes = static_cast<std::int64_t>(size_of(tensor.dtype));
    for (const std::int64_t size : tensor.shape) {
      bytes *= size;
    }
    total += bytes;
  }
  return total;
}

} // namespace sdbench
