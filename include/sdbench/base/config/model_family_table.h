#pragma once

#include <span>
#include <string_view>

#include "sdbench/base/types/component_table.h"

namespace sdbench {

enum class PipelineClass { kStableDiffusion, kStableDiffusionXl };

/// A component of the family's models, and its class name in diffusers or transformers.
struct ModelPart {
  Component component;
  std::string_view class_name;
};

/// Properties that all models of one diffusers pipeline class share, and that no config file
/// contains.
struct ModelFamily {
  PipelineClass pipeline;
  std::string_view class_name;      ///< value of _class_name in model_index.json
  std::span<const ModelPart> parts; ///< in the order in which a pipeline loads them
  double guidance;                  ///< default guidance scale
  /// True: prompt embeddings come from the text encoders' second to last layer. False: the last.
  bool uses_penultimate_layer;
  bool takes_text_time; ///< true: the UNet also gets the pooled text embedding and image sizes
  /// True: model_index.json may have force_zeros_for_empty_prompt, which makes the negative
  /// embedding all zeros if no negative prompt is given.
  bool may_zero_negative;
  bool vae_overflows_fp16; ///< true: the VAE overflows in fp16, so it uses another dtype
  /// True: the diffusers pipeline corrects known mistakes of old configs.
  bool corrects_old_configs;
  std::string_view smallest_model; ///< name of the smallest shipped model, for a quick test
};

/// All families.
[[nodiscard]] std::span<const ModelFamily> model_families();
[[nodiscard]] const ModelFamily& family_of(PipelineClass pipeline);

} // namespace sdbench
