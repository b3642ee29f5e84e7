#include "sdbench/base/config/component_configs.h"

#include <string>

#include "config_reader.h"
#include "sdbench/base/config/model_config.h"
#include "sdbench/base/files/json_io.h"

namespace sdbench {
namespace {

constexpr IntegerBounds kWidth{1, 65'536};

void refuse_other_text_encoders(const ConfigReader& reader) {
  reader.only("model_type", {"clip_text_model", "clip", nullptr});
  reader.only("is_decoder", {false, nullptr});
  reader.only("add_cross_attention", {false, nullptr});
  reader.only("transformers_weights", {nullptr}); // another file than usual
  reader.only("quantization_config", {nullptr});
  // No key of transformers: diffusers' pipelines mask the padding if a config has it.
  reader.only("use_attention_mask", {false, nullptr});
  const Json* architectures = reader.find("architectures");
  if (architectures == nullptr || architectures->is_null()) {
    return;
  }
  for (const std::string& architecture : reader.texts("architectures", {})) {
    if (!architecture.starts_with("CLIP")) {
      reader.refuse("architectures", "a CLIP text model");
    }
  }
  // Any value passes for these keys: dropouts and initialisation act only in training; bos_token_id
  // and pad_token_id are not used here.
}

/// The requested half of a whole CLIPModel's config. transformers does not count null as a half.
const Json& text_half(const ConfigReader& reader, const Json& config) {
  const Json* const half = reader.find("text_config");
  if (half != nullptr && !half->is_object()) {
    reader.refuse("text_config", "an object");
  }
  return half != nullptr ? *half : config;
}

} // namespace

ClipTextConfig parse_text_config(const Json& config, bool with_projection,
                                 const std::string& where) {
  const ConfigReader whole(config, where);
  refuse_other_text_encoders(whole);
  const ConfigReader reader(text_half(whole, config), where);
  refuse_other_text_encoders(reader);

  ClipTextConfig text;
  text.vocab_size = reader.integer("vocab_size", kClipVocabulary, {kClipVocabulary, 10'000'000});
  text.hidden_size = reader.integer("hidden_size", 512, kWidth);
  text.intermediate_size = reader.integer("intermediate_size", 2048, {1, 1'048'576});
  text.layer_count = reader.integer("num_hidden_layers", 12, {1, 256});
  text.head_count = reader.integer("num_attention_heads", 8, {1, 1'024});
  text.max_position_count = reader.integer("max_position_embeddings", 77, {3, 4'096});
  text.layer_norm_eps = reader.number("layer_norm_eps", 1e-5, {0, 1});
  text.eos_token_id = reader.integer("eos_token_id", 49'407, {0, text.vocab_size - 1});
  reader.only("hidden_act", {"quick_gelu", "gelu"});
  text.activation = reader.text("hidden_act", "quick_gelu") == "gelu"
                        ? ClipTextConfig::Activation::kGelu
                        : ClipTextConfig::Activation::kQuickGelu;
  if (with_projection) {
    text.projection_dim = reader.integer("projection_dim", 512, kWidth);
  }
  if (text.hidden_size % text.head_count != 0) {
    reader.refuse("num_attention_heads",
                  "a divisor of hidden_size, " + std::to_string(text.hidden_size));
  }
  return text;
}

} // namespace sdbench
