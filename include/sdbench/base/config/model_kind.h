#pragma once

#include <string>

#include "sdbench/base/config/model_config.h"
#include "sdbench/base/types/task_table.h"

namespace sdbench {

[[nodiscard]] inline ModelKind kind_of(const ModelConfig& model) {
  return model.network ? ModelKind::kNetwork : ModelKind::kPipeline;
}

/// Tells whether a model is a pipeline or an image classifier. `name_or_path`: see
/// find_model_config. Returns kPipeline for an unknown name or path and for unreadable files,
/// because resolve_model later reports the error.
[[nodiscard]] ModelKind kind_of_model(const std::string& name_or_path);

} // namespace sdbench
