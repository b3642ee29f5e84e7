#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sdbench/base/config/model_config.h"
#include "sdbench/base/config/model_family.h"

namespace sdbench {

/// Number of CLIP's own tokens: 49,406 pieces, start and end. Added tokens have ids from this on.
inline constexpr std::int64_t kClipVocabulary = 49'408;

/// Throws Error "<where> must hold …" unless the added token `content` may have the id that is
/// written as `id`: a token of CLIP's own has its own id, and all others follow CLIP's.
void check_added_token(const std::string& content, const std::string& id, const std::string& where);

// One function for each component: its verbatim diffusers (transformers) config → our struct. A key
// that is not implemented is refused, by key and value, unless it has its default. Keys that the
// class lacks are ignored, as in diffusers. `where` names the component in errors. All throw Error.

/// UNet2DConditionModel. Refuses inpainting and other image-conditioned UNets by name.
[[nodiscard]] UNetConfig parse_unet_config(const Json& config, const std::string& where);

/// AutoencoderKL.
[[nodiscard]] VaeConfig parse_vae_config(const Json& config, const std::string& where);

/// CLIPTextModel, or CLIPTextModelWithProjection if `with_projection`.
[[nodiscard]] ClipTextConfig parse_text_config(const Json& config, bool with_projection,
                                               const std::string& where);

/// tokenizer_config.json of a CLIPTokenizer in front of an encoder of `max_position_count`
/// positions.
[[nodiscard]] TokenizerConfig parse_tokenizer_config(const Json& config,
                                                     std::int64_t max_position_count,
                                                     const std::string& where);

/// Any scheduler, by the keys that EulerDiscreteScheduler.from_config takes from it. Sets
/// SchedulerConfig::obstacle if Euler cannot replace it. `class_name`: the class in
/// model_index.json, if any; else the config's own. `pipeline`: StableDiffusionPipeline sets a
/// given steps_offset to 1.
[[nodiscard]] SchedulerConfig parse_scheduler_config(const Json& config,
                                                     const std::optional<std::string>& class_name,
                                                     PipelineClass pipeline,
                                                     const std::string& where);

} // namespace sdbench
