#pragma once

#include <string>

#include "sdbench/base/config/model_config.h"

namespace sdbench {

/// SHA-256 of the parts of a model's configs that determine its results. For a pipeline these are
/// the configs of components, tokenizers and scheduler; for an image classifier, the network's
/// config. Two models with the same id compute the same results from the same weights.
[[nodiscard]] std::string architecture_id(const ModelConfig& config);

} // namespace sdbench
