#pragma once

#include <vector>

#include "sdbench/base/config/model_config.h"
#include "sdbench/base/types/component.h"
#include "sdbench/base/weights/safetensors_writer.h"

namespace sdbench {

/// kDecoder: text-to-image does not need the VAE's encoder. kWhole: a whole checkpoint has it.
enum class VaeParts { kDecoder, kWhole };

/// The components of a model, in the order in which a pipeline loads them. A network has one.
[[nodiscard]] std::vector<Component> components_of(const ModelConfig& config);

/// Names and shapes of a component's tensors, found by building it on the meta device, because only
/// the constructors define the architecture. Holds no weights. Each declaration has `dtype`.
[[nodiscard]] std::vector<TensorDeclaration>
component_tensors(const ModelConfig& config, Component component, Dtype dtype, VaeParts parts);

/// Bytes of the data of these tensors.
[[nodiscard]] std::int64_t byte_count(const std::vector<TensorDeclaration>& tensors);

} // namespace sdbench
