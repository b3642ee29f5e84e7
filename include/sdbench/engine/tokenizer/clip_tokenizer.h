#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sdbench/base/config/model_config.h"
#include "sdbench/engine/tokenizer/byte_pair_encoder.h"
#include "sdbench/engine/tokenizer/tokenizer.h"

namespace sdbench {

/// A token that is cut out of the text as a whole, before any other splitting.
struct ClipSpecialToken {
  std::u32string text; ///< as searched for
  std::int64_t id;
  bool normalized; ///< searched for in the normalised text; false: in the raw text
};

/// An added token with several vectors (<cat>, <cat>_1, <cat>_2, …): the first one's id and name,
/// and the names of all. A prompt names only the first.
struct ClipTokenOfVectors {
  std::int64_t id;
  std::u32string name;
  std::u32string all_names;
};

/// Encodes text with CLIP's byte pairs, to the same ids as Hugging Face's fast CLIPTokenizer.
class ClipTokenizer final : public Tokenizer {
public:
  /// Uses the merges in `config.folder` or the built-in ones, as find_merge_list() chooses.
  explicit ClipTokenizer(const TokenizerConfig& config);

  [[nodiscard]] std::int64_t limit() const override { return config_.max_length - 2; }
  /// Ids of the text alone: no start, end or padding. U+FFFD replaces invalid UTF-8, as in
  /// Python's bytes.decode(errors="replace").
  [[nodiscard]] std::vector<std::int64_t> encode(std::string_view text) const override;
  /// Returns max_length ids: start, the text's first ids (at most limit()), end, padding.
  [[nodiscard]] std::vector<std::int64_t> encode_padded(std::string_view text) const override;

private:
  [[nodiscard]] std::vector<std::int64_t> ids_of(const std::u32string& text) const;
  [[nodiscard]] std::u32string with_all_vectors(std::u32string text) const;

  TokenizerConfig config_;
  std::vector<ClipSpecialToken> specials_;
  std::vector<ClipTokenOfVectors> several_vectors_;
  BytePairEncoder encoder_;
};

} // namespace sdbench
