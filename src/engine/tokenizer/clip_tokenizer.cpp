#include "sdbench/engine/tokenizer/clip_tokenizer.h"

#include <algorithm>
#include <functional>

#include "normalize.h"
#include "sdbench/base/config/merge_list.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/text/utf8.h"
#include "sdbench/engine/tokenizer/byte_pair_encoder.h"
#include "split_words.h"

namespace sdbench {
namespace {

constexpr std::int64_t kStartId = 49406;
constexpr std::int64_t kEndId = 49407;
constexpr std::int64_t kExclamationId = 0;

/// A token that is cut out of the text as a whole, before any other splitting.
struct SpecialToken {
  std::u32string text; ///< as searched for
  std::int64_t id;
  bool normalized; ///< searched for in the normalised text; false: in the raw text
};

/// An added token with several vectors (<cat>, <cat>_1, <cat>_2, …): the first one's id and name,
/// and the names of all. A prompt names only the first.
struct Vectors {
  std::int64_t id;
  std::u32string name;
  std::u32string all_names;
};

std::vector<Vectors> tokens_of_several_vectors(const std::vector<AddedToken>& tokens) {
  std::vector<Vectors> found;
  for (const AddedToken& token : tokens) {
    std::string names = token.content;
    for (int i = 1;; ++i) {
      const std::string next = token.content + "_" + std::to_string(i);
      if (std::ranges::find(tokens, next, &AddedToken::content) == tokens.end()) {
        break;
      }
      names.append(" ").append(next);
    }
    if (names != token.content) {
      found.push_back({token.id, decode_utf8(token.content), decode_utf8(names)});
    }
  }
  std::ranges::sort(found, {}, &Vectors::name);
  return found;
}

void replace_all(std::u32string& text, const std::u32string& what, const std::u32string& with) {
  for (std::size_t at = text.find(what); at != std::u32string::npos;
       at = text.find(what, at + with.size())) {
    text.replace(at, what.size(), with);
  }
}

std::vector<SpecialToken> special_tokens(const TokenizerConfig& config) {
  if (config.pad_token_id != kExclamationId && config.pad_token_id != kEndId) {
    throw Error("tokenizer's pad_token_id must be 0 (\"!\") or 49407 (\"<|endoftext|>\"), but is " +
                std::to_string(config.pad_token_id) + "; only CLIP's vocabulary is known");
  }
  // The reference registers start, end and pad in this order; for equal texts the last one's
  // settings hold.
  const bool pad_is_end = config.pad_token_id == kEndId;
  std::vector<SpecialToken> tokens{
      {U"<|startoftext|>", kStartId, config.bos_normalized},
      {U"<|endoftext|>", kEndId, pad_is_end ? config.pad_normalized : config.eos_normalized}};
  if (!pad_is_end) {
    tokens.push_back({U"!", kExclamationId, config.pad_normalized});
  }
  for (const AddedToken& token : config.added_tokens) {
    const std::u32string text = decode_utf8(token.content);
    tokens.push_back(
        {token.normalized ? normalize_for_clip(text) : text, token.id, token.normalized});
  }
  std::ranges::stable_sort(tokens, std::ranges::greater(), // of two matches, the longer wins
                           [](const SpecialToken& token) { return token.text.size(); });
  return tokens;
}

/// In order, calls on_text for each stretch of ordinary text, and on_special for each special token
/// whose flag is `normalized`.
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
        several_vectors_(tokens_of_several_vectors(config.added_tokens)),
        encoder_(find_merge_list(config.folder)) {
    if (config_.max_length < 2) {
      throw Error("tokenizer's model_max_length must be at least 2, but is " +
                  std::to_string(config_.max_length));
    }
  }

  [[nodiscard]] std::vector<std::int64_t> encode(std::string_view text) const {
    return ids_of(with_all_vectors(decode_utf8(text)));
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
  [[nodiscard]] std::vector<std::int64_t> ids_of(const std::u32string& text) const {
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
    cut_out_specials(text, specials_, false, add_raw, add_special);
    return ids;
  }

  /// Like diffusers' maybe_convert_prompt. If the prompt contains such a token in any letter case,
  /// its name, where spelled exactly, becomes the names of all its vectors. (If names contain each
  /// other, diffusers takes any first; here the names are sorted.)
  [[nodiscard]] std::u32string with_all_vectors(std::u32string text) const {
    if (several_vectors_.empty()) {
      return text;
    }
    const std::vector<std::int64_t> ids = ids_of(text);
    for (const Vectors& token : several_vectors_) {
      if (std::ranges::find(ids, token.id) != ids.end()) {
        replace_all(text, token.name, token.all_names);
      }
    }
    return text;
  }

  TokenizerConfig config_;
  std::vector<SpecialToken> specials_;
  std::vector<Vectors> several_vectors_;
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
