#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include <ATen/core/Tensor.h>

#include "sdbench/base/config/model_config.h"
#include "sdbench/base/config/model_family_table.h"
#include "sdbench/engine/nn/layer_source.h"
#include "sdbench/engine/tokenizer/tokenizer.h"

namespace sdbench {

/// The states of one batch of texts, of one text encoder or of all.
struct TextStates {
  /// [B, tokens, width]; undefined: the text encoder gives only `pooled`. One of a model's text
  /// encoders must give a context.
  at::Tensor context;
  at::Tensor pooled; ///< [B, width]; undefined: the text encoder gives only `context`
};

/// Interface of a text encoder. PromptEncoder uses a text encoder only through this interface.
class TextEncoder {
public:
  virtual ~TextEncoder() = default;
  /// Besides the weights, reads only `ids` ([B, N], int64, on the weights' device), so that a CUDA
  /// graph can record the call. `skipped`: how many of the last layers the context leaves out.
  [[nodiscard]] virtual TextStates states(const at::Tensor& ids, std::int64_t skipped) const = 0;
};
using TextEncoders = std::vector<std::unique_ptr<const TextEncoder>>;

/// Builds the tokenizer of a text encoder.
using TokenizerMaker =
    std::function<std::unique_ptr<const Tokenizer>(const TextEncoderConfig& config)>;
/// Builds CLIP's tokenizer.
[[nodiscard]] std::unique_ptr<const Tokenizer> make_tokenizer(const TextEncoderConfig& config);

/// Builds a text encoder from its weights. `family`: the family of the model that it belongs to.
using TextEncoderMaker = std::function<std::unique_ptr<const TextEncoder>(
    const TextEncoderConfig& config, const ModelFamily& family, const Weights& weights)>;
/// Builds CLIP's text encoder.
[[nodiscard]] std::unique_ptr<const TextEncoder> make_text_encoder(const TextEncoderConfig& config,
                                                                   const ModelFamily& family,
                                                                   const Weights& weights);

} // namespace sdbench
