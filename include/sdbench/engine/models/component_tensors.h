#pragma once

#include <vector>

#include "sdbench/base/config/model_config.h"
#include "sdbench/base/types/component.h"
#include "sdbench/base/weights/safetensors_writer.h"

namespace sdbench {

/// The VAE's encoder has no part in text-to-image, but belongs to a whole checkpoint.
enum class VaeParts { kDecoder, kWhole };

/// The components that a model has, in the order in which a pipeline loads them; a network is one.
[[nodiscard]] std::vector<Component> components_of(const ModelConfig& config);

/// Names and shapes of a component's tensors, found by building it on the meta device: the
/// architecture *is* the constructors. Holds no weights. `dtype` stands in every declaration.
[[nodiscard]] std::vector<TensorDeclaration>
component_tensors(const ModelConfig& config, Component component, Dtype dtype, VaeParts parts);

/// Bytes of the data of these tensors.
[[nodiscard]] std::int64_t byte_count(const std::vector<TensorDeclaration>& tensors);

} // namespace sdbench
