#include "sdbench/base/config/model_config.h"

#include <algorithm>
#include <cstdio>
#include <initializer_list>
#include <string_view>
#include <utility>

#include "config_reader.h"
#include "sdbench/base/config/component_configs.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/text/listed.h"

namespace sdbench {
namespace {

const std::vector<std::string> kNetworkKeys{"name", "network", "license"};

std::vector<std::string> document_keys() {
  std::vector<std::string> keys{"name",         "pipeline", "scheduler", "defaults",
                                "repositories", "license",  "network"};
  for (const ComponentRow& row : pipeline_components()) {
    keys.emplace_back(row.folder);
    if (row.tokenizer != nullptr) {
      keys.emplace_back(row.tokenizer);
    }
  }
  return keys;
}

/// Six numbers (original size, crop, target size) are embedded besides the pooled text.
constexpr std::int64_t kTimeIdCount = 6;

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
  const auto families = model_families();
  const auto found = std::ranges::find(families, name, &ModelFamily::class_name);
  if (found != families.end()) {
    return found->pipeline;
  }
  const auto known = mapped<std::string>(families, &ModelFamily::class_name);
  const auto has = [&](std::string_view part) { return name.find(part) != std::string::npos; };
  const char* kind = has("Inpaint")                     ? "inpainting is not supported"
                     : has("Img2Img") || has("Pix2Pix") ? "image to image is not supported"
                     : has("Depth2Img")                 ? "depth to image is not supported"
                     : has("Upscale")                   ? "upscaling is not supported"
                     : has("Flax") || has("Onnx")       ? "use the model's PyTorch folder"
                                                        : "no other pipeline is supported";
  index.refuse("_class_name", joined(known, " or ") + " (" + kind + ")");
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
  for (const ModelPart& part : family.parts) {
    const ComponentRow& row = component_row(part.component);
    check_component_class(index, row.folder, {part.class_name});
    if (row.tokenizer != nullptr) {
      check_component_class(index, row.tokenizer, {"CLIPTokenizer", "CLIPTokenizerFast"});
    }
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
void check_fit(const UNetConfig& unet, const ModelConfig& model, const std::string& origin) {
  std::int64_t width = 0;
  for (const TextEncoderConfig& encoder : model.text_encoders) {
    const std::string name = component_row(encoder.component).tokenizer;
    if (encoder.tokenizer.max_length != token_count(model)) {
      throw Error(origin + ": tokenizer and " + name +
                  " must have one model_max_length, because SDXL joins both "
                  "text encoders' states token by token, but have " +
                  std::to_string(token_count(model)) + " and " +
                  std::to_string(encoder.tokenizer.max_length) + "; set both to the smaller one");
    }
    check_tokens_fit(encoder.tokenizer, encoder.model, origin + ": " + name);
    width += encoder.model.hidden_size;
  }
  if (unet.in_channels != model.vae.latent_channels) {
    refuse_fit(origin, "unet in_channels (the vae's latent_channels)", model.vae.latent_channels,
               unet.in_channels);
  }
  if (unet.out_channels != unet.in_channels) {
    refuse_fit(origin, "unet out_channels (its in_channels)", unet.in_channels, unet.out_channels);
  }
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
    const std::int64_t must = *model.text_encoders.back().model.projection_dim +
                              kTimeIdCount * *unet.addition_time_embed_dim;
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
void correct_old_sample_size(UNetConfig& unet, const ConfigReader& config) {
  constexpr std::int64_t kMeant = 64;
  const Json* size = config.find("sample_size");
  if (size != nullptr && size->is_number_integer() && unet.sample_width < kMeant &&
      is_written_before_0_9(config.text("_diffusers_version", ""))) {
    unet.sample_width = unet.sample_height = kMeant;
  }
}

ModelDefaults read_defaults(const Json& document, const ModelConfig& model,
                            const std::string& origin) {
  const std::int64_t factor = model.vae.scale_factor();
  ModelDefaults defaults; // diffusers' own defaults for the pipeline class
  defaults.guidance = family_of(model.pipeline).guidance;
  std::visit(
      [&](const auto& kind) {
        defaults.width = kind.sample_width * factor;
        defaults.height = kind.sample_height * factor;
      },
      model.denoiser);
  const auto found = document.find("defaults");
  if (found == document.end()) {
    return defaults;
  }
  const ConfigReader reader(*found, origin + ": defaults");
  refuse_unknown_keys(*found, {"steps", "guidance", "width", "height"}, reader.where());
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
  for (const std::string& key : document_keys()) {
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

const TextEncoderConfig* text_encoder(const ModelConfig& model, Component component) {
  const auto found =
      std::ranges::find(model.text_encoders, component, &TextEncoderConfig::component);
  return found == model.text_encoders.end() ? nullptr : &*found;
}

std::int64_t token_count(const ModelConfig& model) {
  return model.text_encoders.empty() ? 0 : model.text_encoders.front().tokenizer.max_length;
}

ModelConfig parse_model_config(const Json& document, const std::string& origin) {
  const ConfigReader reader(document, origin);
  if (reader.has("network")) {
    return parse_network(document, origin);
  }
  refuse_unknown_keys(document, document_keys(), origin);
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
  UNetConfig unet = parse_unet_config(part("unet"), where("unet"));
  model.vae = parse_vae_config(part("vae"), where("vae"));
  for (const ModelPart& of_family : family.parts) {
    const auto& [component, role, folder, weights, tokenizer] = component_row(of_family.component);
    if (role == ComponentRole::kText) {
      const bool projects = of_family.class_name == "CLIPTextModelWithProjection";
      const ClipTextConfig text = parse_text_config(part(folder), projects, where(folder));
      model.text_encoders.push_back(
          {component, text,
           parse_tokenizer_config(part(tokenizer), text.max_position_count, where(tokenizer))});
    }
  }
  if (family.may_zero_negative) {
    model.force_zeros_for_empty_prompt = index.truth("force_zeros_for_empty_prompt", true);
  }
  model.scheduler = parse_scheduler_config(part("scheduler"), component_class(index, "scheduler"),
                                           model.pipeline, where("scheduler"));
  check_fit(unet, model, origin);
  if (family.corrects_old_configs) {
    correct_old_sample_size(unet, ConfigReader(part("unet"), where("unet")));
  }
  model.denoiser = std::move(unet);
  model.defaults = read_defaults(document, model, origin);
  model.repositories = reader.texts("repositories", {});
  model.license = reader.text("license", "");
  model.source = document;
  return model;
}

} // namespace sdbench
