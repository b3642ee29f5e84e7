#include "sdbench/tokenizer/clip_tokenizer.h"

#include <algorithm>

#include "sdbench/core/error.h"
#include "sdbench/core/utf8.h"
#include "sdbench/tokenizer/byte_pair_encoder.h"
#include "sdbench/tokenizer/merge_list.h"
#include "sdbench/tokenizer/normalize.h"
#include "sdbench/tokenizer/split_words.h"

namespace sdbench {
namespace {

constexpr std::int64_t kStartId = 49406;
constexpr std::int64_t kEndId = 49407;
constexpr std::int64_t kExclamationId = 0;

/// A token that is cut out of the text whole, before anything else looks at it.
struct SpecialToken {
  std::u32string_view text;
  std::int64_t id;
  bool normalized; ///< looked for in the normalised text, not in the raw one
};

std::vector<SpecialToken> special_tokens(const TokenizerConfig& config) {
  if (config.pad_token_id != kExclamationId && config.pad_token_id != kEndId) {
    throw Error("tokenizer's pad_token_id must be 0 (\"!\") or 49407 (\"<|endoftext|>\"), but is " +
                std::to_string(config.pad_token_id) + "; only CLIP's vocabulary is known");
  }
  // The reference registers start, end and pad in this order, and the last word on one token
  // counts.
  const bool pad_is_end = config.pad_token_id == kEndId;
  std::vector<SpecialToken> tokens{
      {U"<|startoftext|>", kStartId, config.bos_normalized},
      {U"<|endoftext|>", kEndId, pad_is_end ? config.pad_normalized : config.eos_normalized}};
  if (!pad_is_end) {
    tokens.push_back({U"!", kExclamationId, config.pad_normalized});
  }
  return tokens;
}

/// Calls on_text for each stretch of ordinary text and on_special for each special token that has
/// this flag, in order.
template <typename OnText, typename OnSpecial>
void cut_out_specials(std::u32string_view text, const std::vector<SpecialToken>& tokens,
                      bool normalized, const OnText& on_text, const OnSpecial& on_special) {
  std::size_t text_begin = 0;
  for (std::size_t i = 0; i < text.size();) {
    const auto found = std::ranges::find_if(tokens, [&](const SpecialToken& token) {
      return token.normalized == normalized && text.substr(i).starts_with(token.text);
    });
    if (found == tokens.end()) {
      ++i;
      continue;
    }
    on_text(text.substr(text_begin, i - text_begin));
    on_special(*found);
    i += found->text.size();
    text_begin = i;
  }
  on_text(text.substr(text_begin));
}

} // namespace

class ClipTokenizer::Impl {
public:
  explicit Impl(const TokenizerConfig& config)
      : config_(config), specials_(special_tokens(config)),
        encoder_(find_merge_list(config.folder)) {
    if (config_.max_length < 2) {
      throw Error("tokenizer's model_max_length must be at least 2, but is " +
                  std::to_string(config_.max_length));
    }
  }

  [[nodiscard]] std::vector<std::int64_t> encode(std::string_view text) const {
    std::vector<std::int64_t> ids;
    const auto add_special = [&ids](const SpecialToken& token) { ids.push_back(token.id); };
    const auto add_words = [&](std::u32string_view normalized_text) {
      for (const std::u32string_view word : split_words(normalized_text)) {
        encoder_.append_ids(encode_utf8(word), ids);
      }
    };
    const auto add_raw = [&](std::u32string_view raw_text) {
      cut_out_specials(normalize_for_clip(raw_text), specials_, true, add_words, add_special);
    };
    cut_out_specials(decode_utf8(text), specials_, false, add_raw, add_special);
    return ids;
  }

  [[nodiscard]] std::vector<std::int64_t> encode_padded(std::string_view text) const {
    const auto length = static_cast<std::size_t>(config_.max_length);
    std::vector<std::int64_t> ids = encode(text);
    ids.resize(std::min(ids.size(), length - 2));
    ids.insert(ids.begin(), kStartId);
    ids.push_back(kEndId);
    ids.resize(length, config_.pad_token_id);
    return ids;
  }

private:
  TokenizerConfig config_;
  std::vector<SpecialToken> specials_;
  BytePairEncoder encoder_;
};

ClipTokenizer::ClipTokenizer(const TokenizerConfig& config)
    : impl_(std::make_unique<Impl>(config)) {}
ClipTokenizer::~ClipTokenizer() = default;
ClipTokenizer::ClipTokenizer(ClipTokenizer&&) noexcept = default;
ClipTokenizer& ClipTokenizer::operator=(ClipTokenizer&&) noexcept = default;

std::vector<std::int64_t> ClipTokenizer::encode(std::string_view text) const {
  return impl_->encode(text);
}

std::vector<std::int64_t> ClipTokenizer::encode_padded(std::string_view text) const {
  return impl_->encode_padded(text);
}

} // namespace sdbench
