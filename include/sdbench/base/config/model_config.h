#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "sdbench/base/config/model_family_table.h"
#include "sdbench/base/config/network_config.h"
#include "sdbench/base/files/json_io.h"
#include "sdbench/base/types/component_table.h"
#include "sdbench/base/types/task_table.h"

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
  /// Token whose output is the pooled embedding; 2 (old configs) stands for the highest token id.
  std::int64_t eos_token_id = 49407;
  std::optional<std::int64_t> projection_dim; ///< set for CLIPTextModelWithProjection
};

/// A token that extends CLIP's vocabulary, such as a textual-inversion token.
struct AddedToken {
  std::string content;
  std::int64_t id = 0; ///< its row in the token embedding; at least kClipVocabulary
  /// True: the tokenizer normalises (lower-cases) both `content` and the text, then searches for
  /// the token. False: it searches the original text.
  bool normalized = true;
};

/// The tokenizer of one text encoder.
struct TokenizerConfig {
  /// 49407 (<|endoftext|>); for SD2.1, and for text encoder 2 of SDXL, it is 0 ("!").
  std::int64_t pad_token_id = 49407;
  std::int64_t max_length = 77;
  /// True: the tokenizer searches for this special token in the normalised (lower-cased) text.
  /// False: in the original text. If pad and eos are the same token, pad_normalized applies, as in
  /// transformers.
  bool bos_normalized = false;
  bool eos_normalized = false;
  bool pad_normalized = false;
  std::vector<AddedToken> added_tokens;
  /// Folder with the tokenizer's merges.txt or tokenizer.json; empty: the built-in CLIP vocabulary.
  std::filesystem::path folder;
};

/// A text encoder and its tokenizer.
struct TextEncoderConfig {
  Component component = Component::kTextEncoder;
  ClipTextConfig model;
  TokenizerConfig tokenizer;
};

/// Config of diffusers' UNet2DConditionModel, with the options that SD1.5, SD2.1, SDXL and models
/// distilled from them use. Each list has one value per block, in the order of the down blocks. The
/// up blocks use the same values in reverse order, unless they have a list of their own (up_…). The
/// middle block uses the values of the last down block.
struct UNetConfig {
  /// kCrossAttention: UNetMidBlock2DCrossAttn. kResnet: UNetMidBlock2D, which diffusers' UNet
  /// builds with a single ResNet block. kNone: no middle block.
  enum class MidBlock { kCrossAttention, kResnet, kNone };
  std::int64_t in_channels = 4;
  std::int64_t out_channels = 4;
  std::int64_t sample_height = 64; ///< native latent height, in latent pixels
  std::int64_t sample_width = 64;  ///< native latent width, in latent pixels
  std::vector<std::int64_t> block_out_channels;
  std::vector<bool> down_block_has_attention; ///< true: CrossAttnDownBlock2D; false: DownBlock2D
  std::vector<bool> up_block_has_attention;   ///< in order of the up blocks
  std::vector<std::int64_t> layers_per_block;
  /// For each block, the number of transformer layers after each of its ResNet blocks. Unused for
  /// blocks without attention.
  std::vector<std::vector<std::int64_t>> down_transformer_layers;
  std::vector<std::vector<std::int64_t>> up_transformer_layers; ///< in order of the up blocks
  MidBlock mid_block = MidBlock::kCrossAttention;
  std::int64_t mid_transformer_layers = 1;
  /// Number of attention heads, per block. In diffusers' config the key is attention_head_dim,
  /// although the value is a number of heads.
  std::vector<std::int64_t> head_counts;
  /// All equal, because all blocks attend to the same text embedding.
  std::vector<std::int64_t> cross_attention_dims;
  bool use_linear_projection = false;
  /// True: computes attention scores in fp32. Has an effect only with sliced attention.
  bool upcast_attention = false;
  std::int64_t norm_num_groups = 32;
  double norm_eps = 1e-5;
  bool flip_sin_to_cos = true;
  double freq_shift = 0;
  /// SDXL's micro-conditioning (addition_embed_type "text_time"). Either both are set or neither
  /// is.
  std::optional<std::int64_t> addition_time_embed_dim;
  std::optional<std::int64_t> projection_class_embeddings_input_dim;
  /// Size of the guidance-scale embedding that is added to the time embedding (LCM); an even
  /// number. Empty: the UNet has no such input. A UNet with this input has learned guidance in
  /// training, so the batch is not doubled for classifier-free guidance.
  std::optional<std::int64_t> time_cond_proj_dim;

  [[nodiscard]] bool takes_guidance() const { return time_cond_proj_dim.has_value(); }
  /// True if any block at the resolution of down block `level` has attention.
  [[nodiscard]] bool attends(std::size_t level) const {
    const std::size_t last = block_out_channels.size() - 1;
    return down_block_has_attention[level] || up_block_has_attention[last - level] ||
           (level == last && mid_block == MidBlock::kCrossAttention);
  }
};

/// Config of the denoiser, the part of a model that predicts the noise. There is one alternative
/// for each kind of denoiser. Every alternative has sample_height, sample_width and
/// takes_guidance(). Other code that depends on the kind must be a function with one overload for
/// each alternative.
using DenoiserConfig = std::variant<UNetConfig>;

/// True if the guidance scale is an input of the denoiser, so that the batch is not doubled for
/// classifier-free guidance.
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
  bool force_upcast = true; ///< diffusers' SDXL pipeline uses it; sdbench does not
  bool use_quant_conv = true;
  bool use_post_quant_conv = true;
  bool mid_block_add_attention = true;
  std::int64_t sample_size = 32; ///< side length of a tile in tiled decoding, in image pixels
  /// Image pixels per latent pixel along one side: 2^(number of blocks - 1). 1 if there are no
  /// blocks, as for an image classifier, which has no VAE.
  [[nodiscard]] std::int64_t scale_factor() const {
    return block_out_channels.empty() ? 1 : std::int64_t{1} << (block_out_channels.size() - 1);
  }
};

/// What the UNet predicts: the noise, the velocity, or the denoised image.
enum class PredictionType { kEpsilon, kVPrediction, kSample };
/// The type's name in diffusers configs, such as "epsilon".
[[nodiscard]] std::string_view name_of(PredictionType type);
enum class TimestepSpacing { kLeading, kLinspace, kTrailing };
/// The spacing's name: "leading", "linspace", "trailing".
[[nodiscard]] std::string_view name_of(TimestepSpacing spacing);
[[nodiscard]] std::optional<TimestepSpacing> timestep_spacing_from_name(std::string_view name);
enum class BetaSchedule { kLinear, kScaledLinear, kSquaredCosCapV2 };

/// Parameters of EulerDiscreteScheduler, converted from the model's own scheduler config as
/// diffusers' from_config does it.
struct SchedulerConfig {
  /// The scheduler class that the model's config names, for the record's field scheduler_source.
  std::string source_class = "EulerDiscreteScheduler";
  /// Why Euler cannot replace the class `source_class`, as text for people. Empty if Euler can
  /// replace it.
  std::string obstacle;
  /// Why no sampler of sdbench can run the model, even if the user asks for Euler. Empty if a
  /// sampler can run it.
  std::string refusal;
  std::int64_t num_train_timesteps = 1000;
  double beta_start = 0.00085; ///< unused with kSquaredCosCapV2, like beta_end
  double beta_end = 0.012;
  BetaSchedule beta_schedule = BetaSchedule::kScaledLinear;
  PredictionType prediction_type = PredictionType::kEpsilon;
  TimestepSpacing timestep_spacing = TimestepSpacing::kLinspace;
  std::int64_t steps_offset = 0;
  bool use_karras_sigmas = false;
  /// True if the betas are rescaled so that the last training timestep is (almost) pure noise.
  bool rescale_betas_zero_snr = false;
};

/// The model's defaults for options that the user does not set.
struct ModelDefaults {
  std::int64_t steps = 50;
  double guidance = 7.5;
  std::int64_t width = 512;  ///< pixels
  std::int64_t height = 512; ///< pixels
};

/// A model's whole architecture, that is, everything except its weights. The model is a diffusion
/// pipeline, or an image classifier if `network` is set. For an image classifier, the members that
/// describe a pipeline have their default values.
struct ModelConfig {
  std::string name; ///< "sd15", or the folder's name
  std::optional<NetworkConfig> network;
  PipelineClass pipeline = PipelineClass::kStableDiffusion;
  DenoiserConfig denoiser;
  VaeConfig vae;
  /// In the order of ModelFamily::parts; all with the same max_length.
  std::vector<TextEncoderConfig> text_encoders;
  SchedulerConfig scheduler;
  /// True: if no negative prompt is given, the negative embedding is all zeros (only SDXL).
  bool force_zeros_for_empty_prompt = false;
  ModelDefaults defaults;
  /// Hugging Face repositories of the usual weights, preferred one first.
  std::vector<std::string> repositories;
  std::string license; ///< license of the usual weights, as text for people
  /// The JSON document that this config was parsed from. It contains the unchanged component
  /// configs by folder name ("unet", "vae", "text_encoder", "scheduler", …).
  /// parse_model_config(source, name) returns an equal config, except for the tokenizers' folders.
  /// The worker receives this document; export-weights writes the configs from it.
  Json source;
};

[[nodiscard]] inline ModelKind kind_of(const ModelConfig& model) {
  return model.network ? ModelKind::kNetwork : ModelKind::kPipeline;
}
/// True if the model's config was read. False: reading failed, and only `name` is set.
[[nodiscard]] inline bool is_known(const ModelConfig& model) {
  return model.network.has_value() || !model.text_encoders.empty();
}

/// The config of the model's UNet. The model must be a pipeline.
[[nodiscard]] inline const UNetConfig& unet_of(const ModelConfig& model) {
  return std::get<UNetConfig>(model.denoiser);
}
[[nodiscard]] inline UNetConfig& unet_of(ModelConfig& model) {
  return std::get<UNetConfig>(model.denoiser);
}
/// The config of that text encoder; nullptr if the model does not have it.
[[nodiscard]] const TextEncoderConfig* text_encoder(const ModelConfig& model, Component component);
/// Number of tokens of each prompt after padding; 0 for an image classifier.
[[nodiscard]] std::int64_t token_count(const ModelConfig& model);

/// Parses an architecture document, a JSON object.
/// - A pipeline has the keys "name", "pipeline" (content of model_index.json), "unet", "vae",
/// "text_encoder", "tokenizer" (content of tokenizer_config.json) and "scheduler". Optional keys
/// are "text_encoder_2", "tokenizer_2", "defaults", "repositories" and "license". The components'
/// values are unchanged diffusers configs. Without "defaults", diffusers' defaults apply.
/// - An image classifier has the keys "name", "network" (network_config.h) and optionally
/// "license". The network's "image_size" is the default image size.
/// `origin` (a path) appears in errors. Throws Error for unknown classes, except scheduler classes
/// (see SchedulerConfig). Also throws Error for SDXL's refiner and for inpainting and img2img
/// UNets; the error says which of these the model is. If sdbench lacks the feature of a key, the
/// key must have its default value; else throws Error with key and value.
[[nodiscard]] ModelConfig parse_model_config(const Json& document, const std::string& origin);

/// Reads an architecture file: one of configs/models/ or any other file in that format.
[[nodiscard]] ModelConfig load_model_config_file(const std::filesystem::path& file);
/// Path of `folder`/architecture.json, which export-weights writes beside an image classifier's
/// model.safetensors. nullopt if the folder does not hold an image classifier.
[[nodiscard]] std::optional<std::filesystem::path>
network_file_of(const std::filesystem::path& folder);
/// Reads the configs of a diffusers folder, with or without weights.
[[nodiscard]] ModelConfig load_model_config_folder(const std::filesystem::path& folder);
/// Reads the configs of a folder that has no model_index.json. `kind`: a model whose config
/// supplies everything that the folder's configs omit.
[[nodiscard]] ModelConfig load_model_config_folder(const std::filesystem::path& folder,
                                                   const ModelConfig& kind);

/// Joins the component configs of a diffusers folder into one architecture document (see
/// parse_model_config). The content of special_tokens_map.json and tokenizer.json is converted to
/// the form of tokenizer_config.json and merged into the object "tokenizer".
[[nodiscard]] Json read_diffusers_folder(const std::filesystem::path& folder);

/// Names of the shipped architectures (share/sdbench/models/*.json), sorted.
[[nodiscard]] std::vector<std::string> shipped_model_names();
/// Loads a model config. `name_or_path`: the name of a shipped architecture, or the path of an
/// architecture file or of a folder with configs. Throws UsageError for an unknown name; the error
/// lists the known names, the most similar first.
[[nodiscard]] ModelConfig find_model_config(const std::string& name_or_path);
/// Tells whether a model is a pipeline or an image classifier. `name_or_path`: see
/// find_model_config. Returns kPipeline for an unknown name or path and for unreadable files,
/// because ModelResolver later reports the error.
[[nodiscard]] ModelKind kind_of_model(const std::string& name_or_path);

/// SHA-256 of the parts of a model's configs that determine its results. For a pipeline these are
/// the configs of components, tokenizers and scheduler; for an image classifier, the network's
/// config. Two models with the same id compute the same results from the same weights.
[[nodiscard]] std::string architecture_id(const ModelConfig& config);

} // namespace sdbench
