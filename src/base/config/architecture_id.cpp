#include "sdbench/base/config/architecture_id.h"

#include "sdbench/base/files/json_io.h"
#include "sdbench/base/files/sha256.h"

namespace sdbench {

std::string architecture_id(const ModelConfig& config) {
  Json parts = Json::object();
  for (const char* part : {"network", "unet", "vae", "text_encoder", "text_encoder_2", "tokenizer",
                           "tokenizer_2", "scheduler"}) {
    if (const auto found = config.source.find(part); found != config.source.end()) {
      parts[part] = *found;
    }
  }
  parts["force_zeros_for_empty_prompt"] = config.force_zeros_for_empty_prompt;
  return sha256_hex(parts.dump(-1, ' ', false, Json::error_handler_t::replace));
}

} // namespace sdbench
