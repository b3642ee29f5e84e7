#pragma once

#include <string>

#include "sdbench/base/config/model_config.h"
#include "sdbench/base/core/task.h"

namespace sdbench {

[[nodiscard]] inline ModelKind kind_of(const ModelConfig& model) {
  return model.network ? ModelKind::kNetwork : ModelKind::kPipeline;
}

/// Of a shipped name or an architecture file. What is neither, or cannot be read, passes for a
/// pipeline: resolve_model says what is wrong with it.
[[nodiscard]] ModelKind kind_of_model(const std::string& name_or_path);

} // namespace sdbench
