#include "sdbench/base/config/architecture_id.h"

#include "sdbench/base/files/json_io.h"
#include "sdbench/base/files/sha256.h"
#include "sdbench/base/types/component.h"

namespace sdbench {

std::string architecture_id(const ModelConfig& config) {
  Json parts = Json::object();
  const auto take = [&](const char* part) {
    if (const auto found = config.source.find(part); found != config.source.end()) {
      parts[part] = *found;
    }
  };
  take(folder_name(Component::kNetwork));
  take("scheduler");
  for (const ComponentRow& row : pipeline_components()) {
    take(row.folder);
    if (row.tokenizer != nullptr) {
      take(row.tokenizer);
    }
  }
  parts["force_zeros_for_empty_prompt"] = config.force_zeros_for_empty_prompt;
  return sha256_hex(parts.dump(-1, ' ', false, Json::error_handler_t::replace));
}

} // namespace sdbench
