#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sdbench/base/config/model_config.h"
#include "sdbench/base/config/model_family_table.h"

namespace sdbench {

/// Size of CLIP's vocabulary: 49,406 byte-pair tokens, then <|startoftext|> and <|endoftext|>.
/// Tokens that a tokenizer config adds must have ids of at least this value.
inline constexpr std::int64_t kClipVocabulary = 49'408;

/// Throws Error "<where> must hold …" unless the token `content` may have the id `id` (a decimal
/// number). <|startoftext|>, <|endoftext|> and "!" must have CLIP's ids; any other token must have
/// an id from kClipVocabulary on.
void check_added_token(const std::string& content, const std::string& id, const std::string& where);

// Each function converts one component's unchanged diffusers or transformers config to a struct of
// ours. If sdbench lacks the feature of a key, the key must have its default value; else the error
// names key and value. Keys that the diffusers class does not have are ignored, as in diffusers.
// `where` names the component in errors. All functions throw Error for an invalid config.

/// Parses a UNet2DConditionModel. Throws Error for inpainting and other image-conditioned UNets;
/// the error names the kind of UNet.
[[nodiscard]] UNetConfig parse_unet_config(const Json& config, const std::string& where);

/// Parses an AutoencoderKL.
[[nodiscard]] VaeConfig parse_vae_config(const Json& config, const std::string& where);

/// Parses a CLIPTextModel, or a CLIPTextModelWithProjection if `with_projection` is true.
[[nodiscard]] ClipTextConfig parse_text_config(const Json& config, bool with_projection,
                                               const std::string& where);

/// Parses the tokenizer_config.json of a CLIPTokenizer. `max_position_count`: number of positions
/// of the tokenizer's text encoder; it is the default of the config's key "model_max_length".
[[nodiscard]] TokenizerConfig parse_tokenizer_config(const Json& config,
                                                     std::int64_t max_position_count,
                                                     const std::string& where);

/// Parses the config of any scheduler class. Reads the keys that diffusers'
/// EulerDiscreteScheduler.from_config would use. Sets SchedulerConfig::obstacle if the Euler
/// sampler cannot replace the scheduler. `class_name`: the class in model_index.json; nullopt: the
/// config's own "_class_name". For kStableDiffusion, sets steps_offset as that diffusers pipeline
/// does: to 1 if the config has this key, whatever its value, or if it is of an
/// EulerDiscreteScheduler with leading timestep spacing; else to 0.
[[nodiscard]] SchedulerConfig parse_scheduler_config(const Json& config,
                                                     const std::optional<std::string>& class_name,
                                                     PipelineClass pipeline,
                                                     const std::string& where);

} // namespace sdbench
