#pragma once

#include <span>
#include <string_view>

#include "sdbench/base/types/component.h"

namespace sdbench {

enum class PipelineClass { kStableDiffusion, kStableDiffusionXl };

/// A component of a family's models, and its class in diffusers or transformers.
struct ModelPart {
  Component component;
  std::string_view class_name;
};

/// Properties common to all models of one diffusers pipeline class that no config file has.
struct ModelFamily {
  PipelineClass pipeline;
  std::string_view class_name;      ///< _class_name of model_index.json
  std::span<const ModelPart> parts; ///< in the order in which a pipeline loads them
  double guidance;                  ///< default guidance scale
  bool uses_penultimate_layer;      ///< of the text encoders; else the last layer
  bool takes_text_time;             ///< its UNet takes pooled text and sizes beside the time
  bool may_zero_negative;           ///< model_index.json may give zeros for no negative prompt
  bool vae_overflows_fp16;          ///< so that the VAE computes in another format
  bool corrects_old_configs;        ///< the pipeline corrects known mistakes of old configs
  std::string_view smallest_model;  ///< smallest shipped model, for a quick test
};

/// A row for each family.
[[nodiscard]] std::span<const ModelFamily> model_families();
[[nodiscard]] const ModelFamily& family_of(PipelineClass pipeline);

} // namespace sdbench
