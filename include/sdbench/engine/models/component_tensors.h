#pragma once

#include <vector>

#include "sdbench/base/config/model_config.h"
#include "sdbench/base/types/component_table.h"
#include "sdbench/base/weights/safetensors_writer.h"

namespace sdbench {

/// Which parts of a VAE to include. kDecoder: only the decoder, which is enough for text-to-image.
/// kWhole: also the encoder, as in a whole checkpoint.
enum class VaeParts { kDecoder, kWhole };

/// The components of a model, in the order in which a pipeline loads them. An image classifier has
/// one component.
[[nodiscard]] std::vector<Component> components_of(const ModelConfig& config);

/// Names and shapes of a component's tensors. Finds them by building the component on the meta
/// device, without data, because only the constructors define the architecture. Each declaration
/// has `dtype`.
[[nodiscard]] std::vector<TensorDeclaration>
component_tensors(const ModelConfig& config, Component component, Dtype dtype, VaeParts parts);

/// Total size of these tensors' data, in bytes.
[[nodiscard]] std::int64_t byte_count(const std::vector<TensorDeclaration>& tensors);

} // namespace sdbench
