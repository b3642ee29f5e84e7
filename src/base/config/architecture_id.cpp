#include "sdbench/base/config/architecture_id.h"

#include "sdbench/base/files/json_io.h"
#include "sdbench/base/files/sha256.h"

namespace sdbench {

std::string architecture_id(const ModelConfig& config) {
  Json parts = config.source.is_object() ? config.source : Json::object();
  for (const char* key : {"name", "pipeline", "defaults", "repositories", "license"}) {
    parts.erase(key); // no number depends on these
  }
  parts["force_zeros_for_empty_prompt"] = config.force_zeros_for_empty_prompt;
  return sha256_hex(parts.dump(-1, ' ', false, Json::error_handler_t::replace));
}

} // namespace sdbench
