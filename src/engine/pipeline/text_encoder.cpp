#include "sdbench/engine/pipeline/text_encoder.h"

#include <ATen/ATen.h>

#include "sdbench/engine/models/clip_text_model.h"
#include "sdbench/engine/tokenizer/clip_tokenizer.h"

namespace sdbench {
namespace {

class ClipTextEncoder final : public TextEncoder {
public:
  ClipTextEncoder(const Weights& weights, const ClipTextConfig& config, bool penultimate)
      : model_(weights, config), uses_penultimate_layer_(penultimate) {}

  [[nodiscard]] TextStates states(const at::Tensor& ids, std::int64_t skipped) const override {
    // SDXL uses the state before the last layer, without the final norm.
    const ClipTextOutput out = model_(ids, skipped + (uses_penultimate_layer_ ? 1 : 0));
    return {uses_penultimate_layer_ ? out.earlier
            : skipped == 0          ? out.last
                                    : model_.normed(out.earlier),
            out.pooled.value_or(at::Tensor())};
  }

private:
  ClipTextModel model_;
  bool uses_penultimate_layer_;
};

} // namespace

std::unique_ptr<const Tokenizer> make_tokenizer(const TextEncoderConfig& config) {
  return std::make_unique<ClipTokenizer>(config.tokenizer);
}

std::unique_ptr<const TextEncoder> make_text_encoder(const TextEncoderConfig& config,
                                                     const ModelFamily& family,
                                                     const Weights& weights) {
  return std::make_unique<ClipTextEncoder>(weights, config.model, family.uses_penultimate_layer);
}

} // namespace sdbench
