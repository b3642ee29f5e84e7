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

} // namespace

PromptEncoder::PromptEncoder(const ModelConfig& config, std::vector<TextEncoder> encoders,
                             at::Device device)
    : encoders_(std::move(encoders)), device_(device),
      xl_(config.pipeline == PipelineClass::kStableDiffusionXl),
      zeros_for_no_negative_(xl_ && config.force_zeros_for_empty_prompt) {}

Conditioning PromptEncoder::encode(const std::vector<std::string>& prompts,
                                   const std::optional<std::string>& negative, double guidance,
                                   std::int64_t width, std::int64_t height) const {
  TextStates states = encode_texts(prompts);
  const bool guided = guidance > 1;
  if (guided) {
    const TextStates other = encode_negative(negative, states);
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
    result.time_ids = at::tensor(sizes, at::kLong)
                          .to(states.pooled.scalar_type())
                          .to(device_)
                          .expand({states.pooled.size(0), 6});
  }
  return result;
}

PromptEncoder::TextStates PromptEncoder::encode_negative(const std::optional<std::string>& negative,
                                                         const TextStates& positive) const {
  if (!negative && zeros_for_no_negative_) {
    return {at::zeros_like(positive.context), at::zeros_like(positive.pooled)};
  }
  const auto count = static_cast<std::size_t>(positive.context.size(0));
  return encode_texts(std::vector<std::string>(count, negative.value_or("")));
}

PromptEncoder::TextStates PromptEncoder::encode_texts(const std::vector<std::string>& texts) const {
  std::vector<at::Tensor> contexts;
  TextStates states;
  for (const TextEncoder& encoder : encoders_) {
    const ClipTextOutput out = encoder.model(token_ids(encoder.tokenizer, texts).to(device_));
    contexts.push_back(xl_ ? out.penultimate : out.last);
    if (xl_ && out.pooled) {
      states.pooled = *out.pooled;
    }
  }
  states.context = at::cat(contexts, -1);
  return states;
}

} // namespace sdbench
