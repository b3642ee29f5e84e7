#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sdbench/base/config/model_config.h"
#include "sdbench/base/config/model_family.h"
#include "sdbench/engine/models/clip_text_model.h"
#include "sdbench/engine/tokenizer/clip_tokenizer.h"

namespace sdbench {

/// Encoded prompts of one batch, ready for the UNet. With guidance: [negative..., positive...].
struct Conditioning {
  at::Tensor context;  ///< [B or 2B, 77, cross_attention_dim]
  at::Tensor pooled;   ///< SDXL: [B or 2B, projection_dim]; else undefined
  at::Tensor time_ids; ///< SDXL: [B or 2B, 6]; else undefined
  bool guided = false; ///< classifier-free guidance: two halves
};

/// Prompts → Conditioning, like encode_prompt of diffusers' two pipelines.
class PromptEncoder {
public:
  /// `dtype`: of the text encoders' weights and of their output for the UNet.
  PromptEncoder(const ModelConfig& config, at::ScalarType dtype, at::Device device);

  /// See StableDiffusion::encode. `models`: one text encoder for StableDiffusion, two for SDXL.
  [[nodiscard]] Conditioning encode(const std::vector<ClipTextModel>& models,
                                    const std::vector<std::string>& prompts,
                                    const std::optional<std::string>& negative, double guidance,
                                    std::int64_t width, std::int64_t height,
                                    std::int64_t clip_skip) const;

  /// Notes for the user about these texts, a line each: on empty prompts, which run unchanged, and
  /// on tokens beyond the encoders' limit, which are cut off. diffusers does the same with both.
  [[nodiscard]] std::vector<std::string> notes(const std::vector<std::string>& prompts,
                                               const std::optional<std::string>& negative) const;

private:
  struct TextStates {
    at::Tensor context;
    at::Tensor pooled; ///< SDXL; else undefined
  };
  [[nodiscard]] TextStates encode_texts(const std::vector<ClipTextModel>& models,
                                        const std::vector<std::string>& texts,
                                        std::int64_t clip_skip) const;
  [[nodiscard]] TextStates encode_negative(const std::vector<ClipTextModel>& models,
                                           const std::optional<std::string>& negative,
                                           const TextStates& positive) const;

  std::vector<ClipTokenizer> tokenizers_; ///< one for each text encoder
  at::ScalarType dtype_;
  at::Device device_;
  std::int64_t token_limit_; ///< of a text, without start and end
  bool takes_guidance_;      ///< the denoiser itself: there is no negative half
  const ModelFamily& family_;
  bool zeros_for_no_negative_;
};

} // namespace sdbench
