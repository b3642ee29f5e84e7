#pragma once

#include "sdbench/base/config/model_config.h"

namespace sdbench::testing {

/// The published architectures, by hand: what the totals are counted from.
inline UNetConfig sd15_unet() {
  UNetConfig config;
  config.block_out_channels = {320, 640, 1280, 1280};
  config.down_block_has_attention = {true, true, true, false};
  config.up_block_has_attention = {false, true, true, true};
  config.layers_per_block = {2, 2, 2, 2};
  config.down_transformer_layers = {{1, 1}, {1, 1}, {1, 1}, {}};
  config.up_transformer_layers = {{}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}};
  config.head_counts = {8, 8, 8, 8};
  config.cross_attention_dims = {768, 768, 768, 768};
  return config;
}

inline UNetConfig sd21_unet() {
  UNetConfig config = sd15_unet();
  config.head_counts = {5, 10, 20, 20};
  config.cross_attention_dims = {1024, 1024, 1024, 1024};
  config.use_linear_projection = true;
  return config;
}

inline UNetConfig sdxl_unet() {
  UNetConfig config;
  config.block_out_channels = {320, 640, 1280};
  config.down_block_has_attention = {false, true, true};
  config.up_block_has_attention = {true, true, false};
  config.layers_per_block = {2, 2, 2};
  config.down_transformer_layers = {{}, {2, 2}, {10, 10}};
  config.up_transformer_layers = {{10, 10, 10}, {2, 2, 2}, {}};
  config.mid_transformer_layers = 10;
  config.head_counts = {5, 10, 20};
  config.cross_attention_dims = {2048, 2048, 2048};
  config.use_linear_projection = true;
  config.addition_time_embed_dim = 256;
  config.projection_class_embeddings_input_dim = 2816;
  return config;
}

/// SD1.5's structure, small.
inline UNetConfig small_unet() {
  UNetConfig config = sd15_unet();
  config.block_out_channels = {32, 32, 64, 64};
  config.head_counts = {4, 4, 4, 4};
  config.cross_attention_dims = {24, 24, 24, 24};
  return config;
}

inline VaeConfig sd_vae() {
  VaeConfig config;
  config.block_out_channels = {128, 256, 512, 512};
  return config;
}

inline ClipTextConfig clip_l() {
  return {};
}

inline ClipTextConfig open_clip_bigg() {
  ClipTextConfig config;
  config.hidden_size = 1280;
  config.intermediate_size = 5120;
  config.layer_count = 32;
  config.head_count = 20;
  config.activation = ClipTextConfig::Activation::kGelu;
  config.projection_dim = 1280;
  return config;
}

inline ClipTextConfig open_clip_h() {
  ClipTextConfig config;
  config.hidden_size = 1024;
  config.intermediate_size = 4096;
  config.layer_count = 23;
  config.head_count = 16;
  config.activation = ClipTextConfig::Activation::kGelu;
  return config;
}

} // namespace sdbench::testing
