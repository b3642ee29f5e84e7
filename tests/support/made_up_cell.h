#pragma once

#include <cstdint>

#include "sdbench/base/config/model_config.h"
#include "sdbench/base/plan/cell.h"
#include "tiny_cell.h"

namespace sdbench::test {

constexpr std::int64_t kMadeUpChannels = 16; ///< of the latents, and of the pooled text state
constexpr std::int64_t kMadeUpTokens = 11;

/// A model unlike all families of sdbench: another kind of text encoder beside a CLIP that gives
/// only its pooled state, and a denoiser of 16 channels whose guidance is an input. A test cannot
/// add an alternative to DenoiserConfig, so the UNet's config holds the denoiser's facts.
[[nodiscard]] inline ModelConfig made_up_model() {
  ModelConfig model = find_model_config("tiny-sdxl");
  model.name = "made-up";
  model.source["text_encoder"] = {{"_class_name", "MadeUp"}};
  model.source["unet"] = {{"_class_name", "MadeUp"}};
  model.text_encoders[0].tokenizer.max_length = kMadeUpTokens;
  model.text_encoders[1].model.projection_dim = kMadeUpChannels;
  unet_of(model).time_cond_proj_dim = 2;
  model.vae.latent_channels = kMadeUpChannels;
  return model;
}

/// One batch of two images.
[[nodiscard]] inline Cell made_up_cell() {
  Cell cell = tiny_cell("tiny-sdxl");
  cell.model = made_up_model();
  cell.images = cell.batch = 2;
  return cell;
}

} // namespace sdbench::test
