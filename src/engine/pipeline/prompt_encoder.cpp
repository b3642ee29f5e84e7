#include "sdbench/engine/pipeline/prompt_encoder.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>

#include <ATen/ATen.h>

#include "sdbench/base/text/listed.h"
#include "sdbench/engine/nn/device_copy.h"

namespace sdbench {
namespace {

at::Tensor token_ids(const Tokenizer& tokenizer, const std::vector<std::string>& texts) {
  std::vector<at::Tensor> rows;
  rows.reserve(texts.size());
  for (const std::string& text : texts) {
    rows.push_back(at::tensor(tokenizer.encode_padded(text), at::kLong));
  }
  return at::stack(rows); // [B, tokens]
}

/// What a text encoder does not see of a text.
struct Cut {
  std::int64_t lost = 0; ///< number of tokens beyond the limit
  std::int64_t limit = 0;
};

/// The cut of the tokenizer that cuts off most.
Cut cut_of(const std::vector<std::unique_ptr<const Tokenizer>>& tokenizers,
           const std::string& text) {
  Cut most;
  for (const auto& tokenizer : tokenizers) {
    const std::int64_t limit = tokenizer->limit();
    const std::int64_t lost = std::ssize(tokenizer->encode(text)) - limit;
    if (lost > most.lost) {
      most = {lost, limit};
    }
  }
  return most;
}

std::string cut_note(const std::string& what, const Cut& cut) {
  return what + " more than the " + std::to_string(cut.limit) +
         " tokens that the text encoder takes: " + std::to_string(cut.lost) + " are cut off";
}

/// "the prompt VERB" for one prompt, "3 of 10 prompts VERB" for several.
std::string some_of(std::size_t count, std::size_t total, const char* one, const char* several) {
  return total == 1
             ? std::string("the prompt ") + one
             : std::to_string(count) + " of " + std::to_string(total) + " prompts " + several;
}

} // namespace

PromptEncoder::PromptEncoder(const ModelConfig& config, at::ScalarType dtype, at::Device device,
                             bool joins_halves, const TokenizerMaker& make)
    : tokenizers_(mapped(config.text_encoders, make)), dtype_(dtype), device_(device),
      takes_guidance_(takes_guidance(config.denoiser)), family_(family_of(config.pipeline)),
      zeros_for_no_negative_(config.force_zeros_for_empty_prompt), joins_halves_(joins_halves) {}

Conditioning PromptEncoder::encode(const TextEncoders& models,
                                   const std::vector<std::string>& prompts,
                                   const std::optional<std::string>& negative, double guidance,
                                   std::int64_t width, std::int64_t height, std::int64_t clip_skip,
                                   GraphedTexts* graphed) {
  const bool guided = guidance > 1 && !takes_guidance_;
  const Negative kind = !guided                               ? Negative::kNone
                        : !negative && zeros_for_no_negative_ ? Negative::kZeros
                                                              : Negative::kText;
  Tensors ids = ids_of(prompts);
  if (kind == Negative::kText) {
    const Tensors others = ids_of(std::vector<std::string>(prompts.size(), negative.value_or("")));
    ids.insert(ids.end(), others.begin(), others.end());
  }
  const auto work = [this, &models, kind, clip_skip](const Tensors& inputs) {
    return states_of(models, inputs, kind, clip_skip);
  };
  const GraphedTexts::Numbers numbers{static_cast<double>(kind), static_cast<double>(clip_skip)};
  const TextStates states = graphed != nullptr ? (*graphed)(numbers, ids, work) : work(ids);
  Conditioning result{states.context, states.pooled, {}, guided};
  if (family_.takes_text_time) {
    result.time_ids = time_ids(width, height).expand({states.pooled.size(0), 6});
  }
  return result;
}

std::vector<std::string> PromptEncoder::notes(const std::vector<std::string>& prompts,
                                              const std::optional<std::string>& negative) const {
  std::size_t empty = 0;
  std::size_t too_long = 0;
  Cut most;
  for (const std::string& prompt : prompts) {
    empty += prompt.empty() ? 1 : 0;
    const Cut cut = cut_of(tokenizers_, prompt);
    too_long += cut.lost > 0 ? 1 : 0;
    most = cut.lost > most.lost ? cut : most;
  }
  std::vector<std::string> lines;
  if (empty > 0) {
    lines.push_back(some_of(empty, prompts.size(), "is empty: it is encoded as it is",
                            "are empty: they are encoded as they are"));
  }
  if (too_long > 0) {
    const std::string what = some_of(too_long, prompts.size(), "has", "have");
    lines.push_back(cut_note(what, most) + (too_long > 1 ? " of the longest" : ""));
  }
  if (const Cut cut = cut_of(tokenizers_, negative.value_or("")); cut.lost > 0) {
    lines.push_back(cut_note("the negative prompt has", cut));
  }
  return lines;
}

PromptEncoder::Tensors PromptEncoder::ids_of(const std::vector<std::string>& texts) const {
  Tensors ids;
  for (const auto& tokenizer : tokenizers_) {
    ids.push_back(to_device(token_ids(*tokenizer, texts), device_));
  }
  return ids;
}

TextStates PromptEncoder::states_of(const TextEncoders& models, const Tensors& ids, Negative kind,
                                    std::int64_t clip_skip) const {
  const auto middle = ids.begin() + static_cast<std::ptrdiff_t>(models.size());
  const Tensors prompts(ids.begin(), middle);
  const Tensors negative(middle, ids.end());
  constexpr std::int64_t kAllLayers = 0; // diffusers skips layers only for the prompts
  if (kind == Negative::kText && joins_halves_ && clip_skip == kAllLayers) {
    Tensors both;
    for (std::size_t i = 0; i < models.size(); ++i) {
      both.push_back(at::cat({negative[i], prompts[i]}));
    }
    return encode_texts(models, both, kAllLayers);
  }
  TextStates states = encode_texts(models, prompts, clip_skip);
  if (kind == Negative::kNone) {
    return states;
  }
  const bool is_text = kind == Negative::kText;
  const TextStates other = is_text ? encode_texts(models, negative, kAllLayers) : TextStates{};
  states.context =
      at::cat({is_text ? other.context : at::zeros_like(states.context), states.context});
  if (states.pooled.defined()) {
    states.pooled =
        at::cat({is_text ? other.pooled : at::zeros_like(states.pooled), states.pooled});
  }
  return states;
}

TextStates PromptEncoder::encode_texts(const TextEncoders& models, const Tensors& ids,
                                       std::int64_t clip_skip) const {
  std::vector<at::Tensor> contexts;
  TextStates joined;
  for (std::size_t i = 0; i < models.size(); ++i) {
    const TextStates states = models[i]->states(ids[i], clip_skip);
    if (states.context.defined()) {
      contexts.push_back(states.context);
    }
    if (states.pooled.defined()) {
      joined.pooled = states.pooled;
    }
  }
  joined.context = at::cat(contexts, -1).to(dtype_);
  return joined;
}

/// Original height and width, crop top and left, target height and width. In the text states'
/// dtype, like the oracle: bf16 rounds sizes above 256 before they are embedded.
const at::Tensor& PromptEncoder::time_ids(std::int64_t width, std::int64_t height) {
  const std::vector<std::int64_t> sizes{height, width, 0, 0, height, width};
  if (sizes != sizes_) {
    time_ids_ = to_device(at::tensor(sizes, at::kLong).to(dtype_), device_);
    sizes_ = sizes;
  }
  return time_ids_;
}

} // namespace sdbench
