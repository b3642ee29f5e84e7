#pragma once

#include <string>

#include "sdbench/base/config/model_config.h"

namespace sdbench {

/// SHA-256 of everything in a model's configs that its results depend on: the components', the
/// tokenizers' and the scheduler's configs, or the network's. Two models with the same id compute
/// the same from the same weights.
[[nodiscard]] std::string architecture_id(const ModelConfig& config);

} // namespace sdbench
