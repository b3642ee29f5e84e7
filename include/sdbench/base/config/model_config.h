#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "sdbench/base/config/model_family.h"
#include "sdbench/base/config/network_config.h"
#include "sdbench/base/files/json_io.h"
#include "sdbench/base/types/component.h"

namespace sdbench {

/// transformers' CLIPTextModel, or CLIPTextModelWithProjection if `projection_dim` is set.
struct ClipTextConfig {
  enum class Activation { kQuickGelu, kGelu };
  std::int64_t vocab_size = 49408;
  std::int64_t hidden_size = 768;
  std::int64_t intermediate_size = 3072;
  std::int64_t layer_count = 12;
  std::int64_t head_count = 12;
  std::int64_t max_position_count = 77;
  double layer_norm_eps = 1e-5;
  Activation activation = Activation::kQuickGelu;
  std::int64_t eos_token_id = 49407;          ///< 2 in old configs: "pool at the highest id"
  std::optional<std::int64_t> projection_dim; ///< set: the class with text_projection
};

/// A token in addition to CLIP's own, as textual inversion makes them.
struct AddedToken {
  std::string content;
  std::int64_t id = 0;    ///< its row in the text encoder's embedding, after CLIP's vocabulary
  bool normalized = true; ///< searched for in the normalised text, normalised itself
};

/// Tokenizer of one text encoder.
struct TokenizerConfig {
  std::int64_t pad_token_id = 49407; ///< or 0: every "!" of the text (SD2.1, SDXL's encoder 2)
  std::int64_t max_length = 77;
  /// True if <|startoftext|> and <|endoftext|> are searched for in the normalised (lower-cased)
  /// text. Order: bos, eos, pad. If pad and eos are one token, the pad's flag holds, as in the
  /// reference.
  bool bos_normalized = false;
  bool eos_normalized = false;
  bool pad_normalized = false;
  std::vector<AddedToken> added_tokens;
  /// Folder with its own merges.txt or tokenizer.json; empty for the built-in CLIP vocabulary.
  std::filesystem::path folder;
};

/// A text encoder and its tokenizer.
struct TextEncoderConfig {
  Component component = Component::kTextEncoder;
  ClipTextConfig model;
  TokenizerConfig tokenizer;
};

/// diffusers' UNet2DConditionModel, as far as SD1.5, SD2.1, SDXL and models distilled from them use
/// it. Lists have one value for each block, in the order of the down blocks; the up blocks use them
/// reversed, unless a list is in the order of the up blocks. The middle block has the last block's
/// values.
struct UNetConfig {
  /// UNetMidBlock2DCrossAttn; UNetMidBlock2D, where diffusers keeps only one ResNet block; or none.
  enum class MidBlock { kCrossAttention, kResnet, kNone };
  std::int64_t in_channels = 4;
  std::int64_t out_channels = 4;
  std::int64_t sample_height = 64; ///< native latent size
  std::int64_t sample_width = 64;
  std::vector<std::int64_t> block_out_channels;
  std::vector<bool> down_block_has_attention; ///< CrossAttnDownBlock2D or DownBlock2D
  std::vector<bool> up_block_has_attention;   ///< in order of the up blocks
  std::vector<std::int64_t> layers_per_block;
  /// Transformer layers after each ResNet block, for each block; unused where a block has no
  /// attention.
  std::vector<std::vector<std::int64_t>> down_transformer_layers;
  std::vector<std::vector<std::int64_t>> up_transformer_layers; ///< in order of the up blocks
  MidBlock mid_block = MidBlock::kCrossAttention;
  std::int64_t mid_transformer_layers = 1;
  std::vector<std::int64_t> head_counts; ///< key attention_head_dim: it *is* the number of heads
  std::vector<std::int64_t> cross_attention_dims; ///< all equal: there is one context
  bool use_linear_projection = false;
  bool upcast_attention = false; ///< scores in fp32; only used if attention is sliced, not fused
  std::int64_t norm_num_groups = 32;
  double norm_eps = 1e-5;
  bool flip_sin_to_cos = true;
  double freq_shift = 0;
  /// SDXL's micro-conditioning (addition_embed_type "text_time"); both set or both empty.
  std::optional<std::int64_t> addition_time_embed_dim;
  std::optional<std::int64_t> projection_class_embeddings_input_dim;
  /// Size of the guidance scale's embedding, which is added to the time embedding (LCM). Such a
  /// model has learned guidance and needs no second half of the batch. Even.
  std::optional<std::int64_t> time_cond_proj_dim;

  [[nodiscard]] bool takes_guidance() const { return time_cond_proj_dim.has_value(); }
  /// True if any block at the resolution of this down block has attention.
  [[nodiscard]] bool attends(std::size_t level) const {
    const std::size_t last = block_out_channels.size() - 1;
    return down_block_has_attention[level] || up_block_has_attention[last - level] ||
           (level == last && mid_block == MidBlock::kCrossAttention);
  }
};

/// What predicts the noise: an alternative for each kind. Each has sample_height, sample_width and
/// takes_guidance(); what else is asked of any kind is a function with an overload for each.
using DenoiserConfig = std::variant<UNetConfig>;

/// True if the denoiser itself is told the guidance scale, so that it needs no second half.
[[nodiscard]] inline bool takes_guidance(const DenoiserConfig& denoiser) {
  return std::visit([](const auto& kind) { return kind.takes_guidance(); }, denoiser);
}

/// diffusers' AutoencoderKL.
struct VaeConfig {
  std::int64_t in_channels = 3;
  std::int64_t out_channels = 3;
  std::int64_t latent_channels = 4;
  std::vector<std::int64_t> block_out_channels;
  std::int64_t layers_per_block = 2;
  std::int64_t norm_num_groups = 32;
  double scaling_factor = 0.18215;
  bool force_upcast = true; ///< only the SDXL pipeline acts on it
  bool use_quant_conv = true;
  bool use_post_quant_conv = true;
  bool mid_block_add_attention = true;
  std::int64_t sample_size = 32; ///< pixels a side of a tile in tiled decoding
  /// Image pixels per latent pixel, 2^(blocks-1); 1 without blocks: a network has no VAE.
  [[nodiscard]] std::int64_t scale_factor() const {
    return block_out_channels.empty() ? 1 : std::int64_t{1} << (block_out_channels.size() - 1);
  }
};

/// What the UNet predicts: the noise, the velocity, or the image without noise.
enum class PredictionType { kEpsilon, kVPrediction, kSample };
/// Its name in configs: "epsilon".
[[nodiscard]] const char* name_of(PredictionType type);
enum class TimestepSpacing { kLeading, kLinspace, kTrailing };
enum class BetaSchedule { kLinear, kScaledLinear, kSquaredCosCapV2 };

/// EulerDiscreteScheduler's parameters, after diffusers' from_config conversion.
struct SchedulerConfig {
  /// The class that the folder names. The record's scheduler_source.
  std::string source_class = "EulerDiscreteScheduler";
  /// Why Euler cannot replace that class, for people. Empty if it can.
  std::string obstacle;
  /// Why no sampler here can compute such a model, even if the user asks for Euler. Empty if one
  /// can.
  std::string refusal;
  std::int64_t num_train_timesteps = 1000;
  double beta_start = 0.00085; ///< a squared cosine ignores both betas
  double beta_end = 0.012;
  BetaSchedule beta_schedule = BetaSchedule::kScaledLinear;
  PredictionType prediction_type = PredictionType::kEpsilon;
  TimestepSpacing timestep_spacing = TimestepSpacing::kLinspace;
  std::int64_t steps_offset = 0;
  bool use_karras_sigmas = false;
  bool rescale_betas_zero_snr = false; ///< the last training timestep is (all but) pure noise
};

/// Defaults of a run.
struct ModelDefaults {
  std::int64_t steps = 50;
  double guidance = 7.5;
  std::int64_t width = 512;  ///< pixels
  std::int64_t height = 512; ///< pixels
};

/// A whole architecture: everything about a model except its weights. If `network` is set, the
/// parts of a pipeline are empty.
struct ModelConfig {
  std::string name; ///< "sd15", or the folder's name
  std::optional<NetworkConfig> network;
  PipelineClass pipeline = PipelineClass::kStableDiffusion;
  DenoiserConfig denoiser;
  VaeConfig vae;
  std::vector<TextEncoderConfig> text_encoders; ///< in the family's order; tokens of one number
  SchedulerConfig scheduler;
  bool force_zeros_for_empty_prompt = false; ///< SDXL: no negative prompt → zeros
  ModelDefaults defaults;
  std::vector<std::string> repositories; ///< usual Hugging Face repositories, first is preferred
  std::string license;                   ///< of the usual weights, for people
  /// The document that was parsed, with the verbatim component configs by folder name ("unet",
  /// "vae", "text_encoder", "scheduler", …). parse_model_config(source, name) gives this config
  /// again, except the tokenizers' folders. Sent to the worker and written by export-weights.
  Json source;
};

/// True if the model's config was read. If it cannot be read, a cell's model has only its name.
[[nodiscard]] inline bool is_known(const ModelConfig& model) {
  return model.network.has_value() || !model.text_encoders.empty();
}

/// The numbers of a denoiser that is a UNet.
[[nodiscard]] inline const UNetConfig& unet_of(const ModelConfig& model) {
  return std::get<UNetConfig>(model.denoiser);
}
[[nodiscard]] inline UNetConfig& unet_of(ModelConfig& model) {
  return std::get<UNetConfig>(model.denoiser);
}
/// nullptr: the model has no such text encoder.
[[nodiscard]] const TextEncoderConfig* text_encoder(const ModelConfig& model, Component component);
/// Tokens of a prompt, with padding.
[[nodiscard]] std::int64_t token_count(const ModelConfig& model);

/// Parses an architecture document. A pipeline's is an object with "name", "pipeline"
/// (model_index.json), "unet", "vae", "text_encoder", ["text_encoder_2"], "tokenizer"
/// (tokenizer_config.json), ["tokenizer_2"], "scheduler", ["defaults", "repositories", "license"].
/// The components are diffusers' own config files, verbatim; without "defaults", diffusers' own
/// hold. A network's is an object with "name", "network" (network_config.h), ["license"]; its
/// default size is that of its images. `origin` (a path) appears in errors. Throws Error for
/// unknown classes except the scheduler's (see SchedulerConfig), for the refiner, inpainting and
/// img2img UNets (by name), and for a key that is not implemented with a value other than its
/// default (by key and value).
[[nodiscard]] ModelConfig parse_model_config(const Json& document, const std::string& origin);

/// Reads configs/models/NAME.json, any architecture file, or a diffusers folder (with or without
/// weights).
[[nodiscard]] ModelConfig load_model_config_file(const std::filesystem::path& file);
/// The architecture file in a network's folder, which export-weights writes beside
/// model.safetensors; nullopt if the folder has no network.
[[nodiscard]] std::optional<std::filesystem::path>
network_file_of(const std::filesystem::path& folder);
[[nodiscard]] ModelConfig load_model_config_folder(const std::filesystem::path& folder);
/// The same for a folder without model_index.json. `kind` supplies what the configs omit.
[[nodiscard]] ModelConfig load_model_config_folder(const std::filesystem::path& folder,
                                                   const ModelConfig& kind);

/// The component configs of a diffusers folder as one architecture document (see
/// parse_model_config). The content of special_tokens_map.json and tokenizer.json is in the object
/// "tokenizer", in the form of tokenizer_config.json.
[[nodiscard]] Json read_diffusers_folder(const std::filesystem::path& folder);

/// Names of the shipped architectures (share/sdbench/models/*.json), sorted.
[[nodiscard]] std::vector<std::string> shipped_model_names();
/// `name_or_path`: a shipped name, or the path of an architecture file or of a folder with configs.
/// Throws UsageError for an unknown name, listing the known ones (nearest first).
[[nodiscard]] ModelConfig find_model_config(const std::string& name_or_path);

} // namespace sdbench
