#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sdbench/base/config/model_config.h"
#include "sdbench/base/config/model_family_table.h"
#include "sdbench/engine/models/clip_text_model.h"
#include "sdbench/engine/tokenizer/clip_tokenizer.h"

namespace sdbench {

/// Encoded prompts of one batch, ready for the UNet. With guidance, the rows of the negative
/// prompts come first, then those of the prompts.
struct Conditioning {
  at::Tensor context;  ///< [B or 2B, 77, cross_attention_dim]
  at::Tensor pooled;   ///< SDXL: [B or 2B, projection_dim]; else undefined
  at::Tensor time_ids; ///< SDXL: [B or 2B, 6]; else undefined
  bool guided = false; ///< classifier-free guidance: there are 2B rows
};

/// Turns prompts into a Conditioning, like encode_prompt of diffusers' pipelines for
/// StableDiffusion and SDXL.
class PromptEncoder {
public:
  /// `dtype`: dtype of the text encoders' weights and of the result.
  PromptEncoder(const ModelConfig& config, at::ScalarType dtype, at::Device device);

  /// See StableDiffusion::encode. `models`: the text encoders, one for StableDiffusion and two for
  /// SDXL.
  [[nodiscard]] Conditioning encode(const std::vector<ClipTextModel>& models,
                                    const std::vector<std::string>& prompts,
                                    const std::optional<std::string>& negative, double guidance,
                                    std::int64_t width, std::int64_t height,
                                    std::int64_t clip_skip) const;

  /// Notes for the user about these texts, one line each. The notes report empty prompts, which are
  /// encoded as they are, and tokens beyond the encoders' limit, which are cut off. diffusers does
  /// the same in both cases.
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
  std::int64_t token_limit_; ///< largest number of tokens in a text, besides start and end
  bool takes_guidance_;      ///< the guidance scale is an input of the denoiser: no negative half
  const ModelFamily& family_;
  bool zeros_for_no_negative_;
};

} // namespace sdbench
