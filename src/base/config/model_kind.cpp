#include "sdbench/base/config/model_kind.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "sdbench/base/errors/error.h"

namespace sdbench {

ModelKind kind_of_model(const std::string& name_or_path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(name_or_path, ignored)) {
    return network_file_of(name_or_path) ? ModelKind::kNetwork : ModelKind::kPipeline;
  }
  try {
    return kind_of(find_model_config(name_or_path));
  } catch (const Error&) {
    return ModelKind::kPipeline;
  }
}

} // namespace sdbench
