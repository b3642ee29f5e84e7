#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sdbench/base/config/model_config.h"
#include "sdbench/base/config/model_family_table.h"
#include "sdbench/engine/pipeline/graphed_once.h"
#include "sdbench/engine/pipeline/text_encoder.h"

namespace sdbench {

/// Encoded prompts of one batch, ready for the denoiser. With guidance, the rows of the negative
/// prompts come first, then those of the prompts.
struct Conditioning {
  at::Tensor context;  ///< [B or 2B, tokens, width]
  at::Tensor pooled;   ///< [B or 2B, width], of the last text encoder that has one; or undefined
  at::Tensor time_ids; ///< SDXL: [B or 2B, 6]; else undefined
  bool guided = false; ///< classifier-free guidance: there are 2B rows
};

/// The work of the text encoders as a graph.
using GraphedTexts = GraphedOnce<TextStates>;

/// Turns prompts into a Conditioning, like encode_prompt of diffusers' pipelines for
/// StableDiffusion and SDXL.
class PromptEncoder {
public:
  /// `dtype`: dtype of the text encoders' weights and of the result. `joins_halves`: encodes
  /// prompts and negative prompts as one batch where both use the same layers, which rounds
  /// otherwise than two batches.
  PromptEncoder(const ModelConfig& config, at::ScalarType dtype, at::Device device,
                bool joins_halves = false, const TokenizerMaker& make = make_tokenizer);

  /// See StableDiffusion::encode. `models`: the text encoders, one for StableDiffusion and two for
  /// SDXL. `graphed`: replays their work as a CUDA graph, for which they must stay where they are;
  /// null: no graph.
  [[nodiscard]] Conditioning encode(const TextEncoders& models,
                                    const std::vector<std::string>& prompts,
                                    const std::optional<std::string>& negative, double guidance,
                                    std::int64_t width, std::int64_t height, std::int64_t clip_skip,
                                    GraphedTexts* graphed = nullptr);

  /// Notes for the user about these texts, one line each. The notes report empty prompts, which are
  /// encoded as they are, and tokens beyond the encoders' limit, which are cut off. diffusers does
  /// the same in both cases.
  [[nodiscard]] std::vector<std::string> notes(const std::vector<std::string>& prompts,
                                               const std::optional<std::string>& negative) const;

private:
  using Tensors = std::vector<at::Tensor>;
  /// The content of the first half of the rows: no such half, zeros, or the negative prompts.
  enum class Negative { kNone, kZeros, kText };

  /// The texts' token ids on the device, [B, tokens] for each text encoder.
  [[nodiscard]] Tensors ids_of(const std::vector<std::string>& texts) const;
  /// `ids`: of the prompts for each encoder, then, for Negative::kText, those of the negative
  /// prompts.
  [[nodiscard]] TextStates states_of(const TextEncoders& models, const Tensors& ids, Negative kind,
                                     std::int64_t clip_skip) const;
  /// Joins the text encoders' contexts, token by token.
  [[nodiscard]] TextStates encode_texts(const TextEncoders& models, const Tensors& ids,
                                        std::int64_t clip_skip) const;
  [[nodiscard]] const at::Tensor& time_ids(std::int64_t width, std::int64_t height); ///< [6]

  std::vector<std::unique_ptr<const Tokenizer>> tokenizers_; ///< one for each text encoder
  at::ScalarType dtype_;
  at::Device device_;
  bool takes_guidance_; ///< the guidance scale is an input of the denoiser: no negative half
  const ModelFamily& family_;
  bool zeros_for_no_negative_;
  bool joins_halves_;
  std::vector<std::int64_t> sizes_; ///< time_ids_' numbers: made once for all images of a cell
  at::Tensor time_ids_;
};

} // namespace sdbench
