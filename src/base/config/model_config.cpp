#include "sdbench/base/config/model_config.h"

#include <algorithm>
#include <cstdio>
#include <initializer_list>
#include <optional>
#include <string_view>

#include "config_reader.h"
#include "sdbench/base/config/component_configs.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/errors/nearest.h"

namespace sdbench {
namespace {

const std::vector<std::string> kDocumentKeys{
    "name",           "pipeline",  "unet",        "vae",       "text_encoder",
    "text_encoder_2", "tokenizer", "tokenizer_2", "scheduler", "defaults",
    "repositories",   "license",   "network"};

const std::vector<std::string> kNetworkKeys{"name", "network", "license"};

/// Six numbers (original size, crop, target size) are embedded besides the pooled text.
constexpr std::int64_t kTimeIdCount = 6;

void refuse_unknown_keys(const Json& document, const std::vector<std::string>& known,
                         const std::string& origin) {
  for (const auto& [key, value] : document.items()) {
    if (std::find(known.begin(), known.end(), key) == known.end()) {
      throw Error(origin + ": unknown key " + describe_json(key) + "; did you mean \"" +
                  nearest_first(key, known).front() + "\"?");
    }
  }
}

const Json& component(const Json& document, const char* name, const std::string& origin) {
  const auto found = document.find(name);
  if (found == document.end()) {
    throw Error(origin + ": " + name + " must be there, but is missing");
  }
  return *found;
}

PipelineClass read_pipeline_class(const ConfigReader& index) {
  const std::string name = index.text("_class_name", "");
  if (name == "StableDiffusionXLImg2ImgPipeline" ||
      index.truth("requires_aesthetics_score", false)) {
    throw Error(index.where() + ": _class_name must be StableDiffusionXLPipeline, but is " +
                describe_json(name) + ": the SDXL refiner is not supported; use the base model");
  }
  std::string known;
  for (const ModelFamily& family : model_families()) {
    if (name == family.class_name) {
      return family.pipeline;
    }
    known += (known.empty() ? "" : " or ") + std::string(family.class_name);
  }
  const auto has = [&](std::string_view part) { return name.find(part) != std::string::npos; };
  const char* kind = has("Inpaint")                     ? "inpainting is not supported"
                     : has("Img2Img") || has("Pix2Pix") ? "image to image is not supported"
                     : has("Depth2Img")                 ? "depth to image is not supported"
                     : has("Upscale")                   ? "upscaling is not supported"
                     : has("Flax") || has("Onnx")       ? "use the model's PyTorch folder"
                                                        : "no other pipeline is supported";
  index.refuse("_class_name", known + " (" + kind + ")");
}

/// Class in model_index.json: "unet": ["diffusers", "UNet2DConditionModel"]. May be absent in a
/// user's architecture file.
std::optional<std::string> component_class(const ConfigReader& index, const char* key) {
  const Json* entry = index.find(key);
  if (entry == nullptr) {
    return std::nullopt;
  }
  if (!entry->is_array() || entry->size() != 2 || !(*entry)[1].is_string()) {
    index.refuse(key, "[library, class] (a model without this part is not supported)");
  }
  return (*entry)[1].get<std::string>();
}

void check_component_class(const ConfigReader& index, const char* key,
                           std::initializer_list<std::string_view> classes) {
  const auto name = component_class(index, key);
  if (name && std::find(classes.begin(), classes.end(), *name) == classes.end()) {
    index.refuse(key, "of class " + std::string(*classes.begin()));
  }
}

void check_component_classes(const ConfigReader& index, const ModelFamily& family) {
  check_component_class(index, "unet", {"UNet2DConditionModel"});
  check_component_class(index, "vae", {"AutoencoderKL"});
  for (const TextPart& part : family.text_parts) {
    check_component_class(index, part.encoder,
                          {part.projects ? "CLIPTextModelWithProjection" : "CLIPTextModel"});
    check_component_class(index, part.tokenizer, {"CLIPTokenizer", "CLIPTokenizerFast"});
  }
}

[[noreturn]] void refuse_fit(const std::string& origin, const std::string& what, std::int64_t must,
                             std::int64_t is) {
  throw Error(origin + ": " + what + " must be " + std::to_string(must) + ", but is " +
              std::to_string(is));
}

/// Each token of the tokenizer must have a row in its encoder's embedding.
void check_tokens_fit(const TokenizerConfig& tokenizer, const ClipTextConfig& encoder,
                      const std::string& where) {
  for (const AddedToken& token : tokenizer.added_tokens) {
    if (token.id >= encoder.vocab_size) {
      throw Error(where + ": the id of the added token " + describe_json(token.content) +
                  " must be below its text encoder's vocab_size, " +
                  std::to_string(encoder.vocab_size) + ", but is " + std::to_string(token.id) +
                  "; save the text encoder with resized embeddings beside it");
    }
  }
}

/// Checks that the parts fit each other, which checks of single parts do not show.
void check_fit(const ModelConfig& model, const std::string& origin) {
  const UNetConfig& unet = model.unet;
  if (model.tokenizer_2 && model.tokenizer_2->max_length != model.tokenizer.max_length) {
    throw Error(origin +
                ": tokenizer and tokenizer_2 must have one model_max_length, for SDXL joins both "
                "text encoders' states token by token, but have " +
                std::to_string(model.tokenizer.max_length) + " and " +
                std::to_string(model.tokenizer_2->max_length) + "; set both to the smaller one");
  }
  check_tokens_fit(model.tokenizer, model.text_encoder, origin + ": tokenizer");
  if (model.tokenizer_2) {
    check_tokens_fit(*model.tokenizer_2, *model.text_encoder_2, origin + ": tokenizer_2");
  }
  if (unet.in_channels != model.vae.latent_channels) {
    refuse_fit(origin, "unet in_channels (the vae's latent_channels)", model.vae.latent_channels,
               unet.in_channels);
  }
  if (unet.out_channels != unet.in_channels) {
    refuse_fit(origin, "unet out_channels (its in_channels)", unet.in_channels, unet.out_channels);
  }
  const std::int64_t width =
      model.text_encoder.hidden_size +
      (model.text_encoder_2 ? model.text_encoder_2->hidden_size : std::int64_t{0});
  if (unet.cross_attention_dims.front() != width) {
    refuse_fit(origin, "unet cross_attention_dim (the text encoders' hidden_size)", width,
               unet.cross_attention_dims.front());
  }
  const ModelFamily& family = family_of(model.pipeline);
  if (unet.addition_time_embed_dim.has_value() != family.takes_text_time) {
    const char* const kinds[] = {"null", "\"text_time\""};
    throw Error(origin + ": unet addition_embed_type must be " + kinds[family.takes_text_time] +
                " in a " + std::string(family.class_name) + ", but is " +
                kinds[!family.takes_text_time]);
  }
  if (family.takes_text_time) {
    const std::int64_t must =
        *model.text_encoder_2->projection_dim + kTimeIdCount * *unet.addition_time_embed_dim;
    if (*unet.projection_class_embeddings_input_dim != must) {
      refuse_fit(origin,
                 "unet projection_class_embeddings_input_dim (the projected text and six times "
                 "addition_time_embed_dim)",
                 must, *unet.projection_class_embeddings_input_dim);
    }
  }
}

/// True if a diffusers version before 0.9.0 wrote the config.
bool is_written_before_0_9(const std::string& version) {
  int numbers[2] = {0, 0};
  return std::sscanf(version.c_str(), "%d.%d", &numbers[0], &numbers[1]) == 2 && numbers[0] == 0 &&
         numbers[1] < 9;
}

/// A pipeline that corrects old configs treats a smaller sample_size in such an old config as a
/// mistake of that time (the first SD 1 checkpoints have it), and uses 64.
void correct_old_sample_size(ModelConfig& model, const ConfigReader& unet) {
  constexpr std::int64_t kMeant = 64;
  const Json* size = unet.find("sample_size");
  if (family_of(model.pipeline).corrects_old_configs && size != nullptr &&
      size->is_number_integer() && model.unet.sample_width < kMeant &&
      is_written_before_0_9(unet.text("_diffusers_version", ""))) {
    model.unet.sample_width = model.unet.sample_height = kMeant;
  }
}

ModelDefaults read_defaults(const Json& document, const ModelConfig& model,
                            const std::string& origin) {
  const std::int64_t factor = model.vae.scale_factor();
  ModelDefaults defaults; // diffusers' own defaults for the pipeline class
  defaults.guidance = family_of(model.pipeline).guidance;
  defaults.width = model.unet.sample_width * factor;
  defaults.height = model.unet.sample_height * factor;
  const auto found = document.find("defaults");
  if (found == document.end()) {
    return defaults;
  }
  const ConfigReader reader(*found, origin + ": defaults");
  const std::vector<std::string> keys{"steps", "guidance", "width", "height"};
  for (const auto& [key, value] : found->items()) {
    if (std::find(keys.begin(), keys.end(), key) == keys.end()) {
      throw Error(reader.where() + ": unknown key " + describe_json(key) + "; did you mean \"" +
                  nearest_first(key, keys).front() + "\"?");
    }
  }
  defaults.steps = reader.integer("steps", defaults.steps, {1, 1'000});
  defaults.guidance = reader.number("guidance", defaults.guidance, {0, 1'000});
  defaults.width = reader.integer("width", defaults.width, {factor, 65'536});
  defaults.height = reader.integer("height", defaults.height, {factor, 65'536});
  for (const char* side : {"width", "height"}) {
    if (reader.integer(side, factor) % factor != 0) {
      reader.refuse(side, "divisible by " + std::to_string(factor));
    }
  }
  return defaults;
}

/// One image is one step, without guidance.
ModelConfig parse_network(const Json& document, const std::string& origin) {
  for (const std::string& key : kDocumentKeys) {
    if (document.contains(key) && std::ranges::find(kNetworkKeys, key) == kNetworkKeys.end()) {
      throw Error(origin + ": " + key + " must be left out beside network, but is there: a " +
                  "network has no parts of a pipeline");
    }
  }
  refuse_unknown_keys(document, kNetworkKeys, origin);
  const ConfigReader reader(document, origin);
  ModelConfig model;
  model.name = reader.text("name", origin);
  model.network = parse_network_config(document.at("network"), origin + ": network");
  const std::int64_t size = model.network->image_size;
  model.defaults = {.steps = 1, .guidance = 0, .width = size, .height = size};
  model.license = reader.text("license", "");
  model.source = document;
  return model;
}

} // namespace

ModelConfig parse_model_config(const Json& document, const std::string& origin) {
  const ConfigReader reader(document, origin);
  if (reader.has("network")) {
    return parse_network(document, origin);
  }
  refuse_unknown_keys(document, kDocumentKeys, origin);
  const ConfigReader index(component(document, "pipeline", origin), origin + ": pipeline");

  ModelConfig model;
  model.pipeline = read_pipeline_class(index);
  const ModelFamily& family = family_of(model.pipeline);
  check_component_classes(index, family);
  const auto part = [&](const char* name) -> const Json& {
    return component(document, name, origin);
  };
  const auto where = [&](const char* name) { return origin + ": " + name; };

  model.name = reader.text("name", origin);
  model.unet = parse_unet_config(part("unet"), where("unet"));
  model.vae = parse_vae_config(part("vae"), where("vae"));
  model.text_encoder = parse_text_config(part("text_encoder"), false, where("text_encoder"));
  model.tokenizer = parse_tokenizer_config(part("tokenizer"), model.text_encoder.max_position_count,
                                           where("tokenizer"));
  if (family.text_parts.size() > 1) {
    model.text_encoder_2 = parse_text_config(part("text_encoder_2"), true, where("text_encoder_2"));
    model.tokenizer_2 = parse_tokenizer_config(
        part("tokenizer_2"), model.text_encoder_2->max_position_count, where("tokenizer_2"));
    model.force_zeros_for_empty_prompt = index.truth("force_zeros_for_empty_prompt", true);
  }
  model.scheduler = parse_scheduler_config(part("scheduler"), component_class(index, "scheduler"),
                                           model.pipeline, where("scheduler"));
  check_fit(model, origin);
  correct_old_sample_size(model, ConfigReader(part("unet"), where("unet")));
  model.defaults = read_defaults(document, model, origin);
  model.repositories = reader.texts("repositories", {});
  model.license = reader.text("license", "");
  model.source = document;
  return model;
}

} // namespace sdbench
