#pragma once

#include <span>
#include <string_view>

namespace sdbench {

enum class PipelineClass { kStableDiffusion, kStableDiffusionXl };

/// A text encoder and its tokenizer, by their folders in a diffusers model.
struct TextPart {
  const char* encoder;
  const char* tokenizer;
  bool projects = false; ///< CLIPTextModelWithProjection, else CLIPTextModel
};

/// Properties common to all models of one diffusers pipeline class that no config file has.
struct ModelFamily {
  PipelineClass pipeline;
  std::string_view class_name; ///< _class_name of model_index.json
  std::span<const TextPart> text_parts;
  double guidance;                 ///< default guidance scale
  bool uses_penultimate_layer;     ///< of the text encoders; else the last layer
  bool takes_text_time;            ///< its UNet takes pooled text and sizes besides the time
  bool vae_overflows_fp16;         ///< the VAE must compute in another format
  bool corrects_old_configs;       ///< the pipeline corrects known mistakes of old configs
  std::string_view smallest_model; ///< smallest shipped model, for a quick test
};

/// A row for each family.
[[nodiscard]] std::span<const ModelFamily> model_families();
[[nodiscard]] const ModelFamily& family_of(PipelineClass pipeline);

} // namespace sdbench
