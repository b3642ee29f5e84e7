#include "sdbench/pipeline/prompt_encoder.h"

#include <utility>

#include <ATen/ATen.h>

namespace sdbench {
namespace {

at::Tensor token_ids(const ClipTokenizer& tokenizer, const std::vector<std::string>& texts) {
  std::vector<at::Tensor> rows;
  for (const std::string& text : texts) {
    rows.push_back(at::tensor(tokenizer.encode_padded(text), at::kLong));
  }
  return at::stack(rows); // [B, 77]
}

std::vector<ClipTokenizer> make_tokenizers(const ModelConfig& config) {
  std::vector<ClipTokenizer> tokenizers;
  tokenizers.emplace_back(config.tokenizer);
  if (config.tokenizer_2) {
    tokenizers.emplace_back(*config.tokenizer_2);
  }
  return tokenizers;
}

} // namespace

PromptEncoder::PromptEncoder(const ModelConfig& config, at::ScalarType dtype, at::Device device)
    : tokenizers_(make_tokenizers(config)), dtype_(dtype), device_(device),
      xl_(config.pipeline == PipelineClass::kStableDiffusionXl),
      zeros_for_no_negative_(xl_ && config.force_zeros_for_empty_prompt) {}

Conditioning PromptEncoder::encode(const std::vector<ClipTextModel>& models,
                                   const std::vector<std::string>& prompts,
                                   const std::optional<std::string>& negative, double guidance,
                                   std::int64_t width, std::int64_t height) const {
  TextStates states = encode_texts(models, prompts);
  const bool guided = guidance > 1;
  if (guided) {
    const TextStates other = encode_negative(models, negative, states);
    states.context = at::cat({other.context, states.context});
    if (xl_) {
      states.pooled = at::cat({other.pooled, states.pooled});
    }
  }
  Conditioning result{states.context, states.pooled, {}, guided};
  if (xl_) {
    // Original height and width, crop top and left, target height and width. In the text states'
    // dtype, as the oracle has it: in bf16 sizes above 256 are rounded before they are embedded.
    const std::vector<std::int64_t> sizes{height, width, 0, 0, height, width};
    result.time_ids =
        at::tensor(sizes, at::kLong).to(dtype_).to(device_).expand({states.pooled.size(0), 6});
  }
  return result;
}

PromptEncoder::TextStates PromptEncoder::encode_negative(const std::vector<ClipTextModel>& models,
                                                         const std::optional<std::string>& negative,
                                                         const TextStates& positive) const {
  if (!negative && zeros_for_no_negative_) {
    return {at::zeros_like(positive.context), at::zeros_like(positive.pooled)};
  }
  const auto count = static_cast<std::size_t>(positive.context.size(0));
  return encode_texts(models, std::vector<std::string>(count, negative.value_or("")));
}

PromptEncoder::TextStates PromptEncoder::encode_texts(const std::vector<ClipTextModel>& models,
                                                      const std::vector<std::string>& texts) const {
  std::vector<at::Tensor> contexts;
  TextStates states;
  for (std::size_t i = 0; i < models.size(); ++i) {
    const ClipTextOutput out = models[i](token_ids(tokenizers_.at(i), texts).to(device_));
    contexts.push_back(xl_ ? out.penultimate : out.last);
    if (xl_ && out.pooled) {
      states.pooled = *out.pooled;
    }
  }
  states.context = at::cat(contexts, -1).to(dtype_);
  return states;
}

} // namespace sdbench
