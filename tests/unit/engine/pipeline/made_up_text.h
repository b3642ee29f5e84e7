#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include <ATen/ATen.h>

#include "made_up_cell.h"
#include "sdbench/base/config/model_config.h"
#include "sdbench/base/config/model_family_table.h"
#include "sdbench/base/types/component_table.h"
#include "sdbench/engine/nn/layer_source.h"
#include "sdbench/engine/pipeline/text_encoder.h"
#include "sdbench/engine/tokenizer/tokenizer.h"

namespace sdbench::test {

constexpr std::int64_t kMadeUpTextWidth = 24;

/// The ids are the text's bytes.
class ByteTokenizer final : public Tokenizer {
public:
  [[nodiscard]] std::int64_t limit() const override { return kMadeUpTokens; }
  [[nodiscard]] std::vector<std::int64_t> encode(std::string_view text) const override {
    std::vector<std::int64_t> ids;
    for (const char byte : text) {
      ids.push_back(static_cast<unsigned char>(byte));
    }
    return ids;
  }
  [[nodiscard]] std::vector<std::int64_t> encode_padded(std::string_view text) const override {
    std::vector<std::int64_t> ids = encode(text);
    ids.resize(static_cast<std::size_t>(kMadeUpTokens));
    return ids;
  }
};

/// A text encoder that is no CLIP. It gives no pooled state.
class MadeUpTextEncoder final : public TextEncoder {
public:
  explicit MadeUpTextEncoder(const Weights& weights)
      : table_(weights.take("table.weight", {256, kMadeUpTextWidth})) {}
  [[nodiscard]] TextStates states(const at::Tensor& ids, std::int64_t) const override {
    return {at::tanh(at::embedding(table_, ids)), {}};
  }

private:
  at::Tensor table_;
};

/// Gives only the pooled state of another text encoder.
class PooledTextEncoder final : public TextEncoder {
public:
  explicit PooledTextEncoder(std::unique_ptr<const TextEncoder> whole) : whole_(std::move(whole)) {}
  [[nodiscard]] TextStates states(const at::Tensor& ids, std::int64_t skipped) const override {
    return {{}, whole_->states(ids, skipped).pooled};
  }

private:
  std::unique_ptr<const TextEncoder> whole_;
};

[[nodiscard]] inline std::unique_ptr<const Tokenizer>
made_up_tokenizer(const TextEncoderConfig& config) {
  if (config.component == Component::kTextEncoder) {
    return std::make_unique<ByteTokenizer>();
  }
  return make_tokenizer(config);
}

[[nodiscard]] inline std::unique_ptr<const TextEncoder>
made_up_text_encoder(const TextEncoderConfig& config, const ModelFamily& family,
                     const Weights& weights) {
  if (config.component == Component::kTextEncoder) {
    return std::make_unique<MadeUpTextEncoder>(weights);
  }
  return std::make_unique<PooledTextEncoder>(make_text_encoder(config, family, weights));
}

} // namespace sdbench::test
