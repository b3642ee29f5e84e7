#include "sdbench/engine/tokenizer/clip_tokenizer.h"

#include <algorithm>
#include <functional>

#include "normalize.h"
#include "sdbench/base/config/merge_list.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/text/utf8.h"
#include "split_words.h"

namespace sdbench {
namespace {

constexpr std::int64_t kStartId = 49406;
constexpr std::int64_t kEndId = 49407;
constexpr std::int64_t kExclamationId = 0;

std::vector<ClipTokenOfVectors> tokens_of_several_vectors(const std::vector<AddedToken>& tokens) {
  std::vector<ClipTokenOfVectors> found;
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
  std::ranges::sort(found, {}, &ClipTokenOfVectors::name);
  return found;
}

void replace_all(std::u32string& text, const std::u32string& what, const std::u32string& with) {
  for (std::size_t at = text.find(what); at != std::u32string::npos;
       at = text.find(what, at + with.size())) {
    text.replace(at, what.size(), with);
  }
}

std::vector<ClipSpecialToken> special_tokens(const TokenizerConfig& config) {
  if (config.pad_token_id != kExclamationId && config.pad_token_id != kEndId) {
    throw Error("tokenizer's pad_token_id must be 0 (\"!\") or 49407 (\"<|endoftext|>\"), but is " +
                std::to_string(config.pad_token_id) + "; only CLIP's vocabulary is known");
  }
  // The reference registers start, end and pad in this order; for equal texts the last one's
  // settings hold.
  const bool pad_is_end = config.pad_token_id == kEndId;
  std::vector<ClipSpecialToken> tokens{
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
                           [](const ClipSpecialToken& token) { return token.text.size(); });
  return tokens;
}

/// In order, calls on_text for each stretch of ordinary text, and on_special for each special token
/// whose flag is `normalized`.
template <typename OnText, typename OnSpecial>
void cut_out_specials(std::u32string_view text, const std::vector<ClipSpecialToken>& tokens,
                      bool normalized, const OnText& on_text, const OnSpecial& on_special) {
  std::size_t text_begin = 0;
  for (std::size_t i = 0; i < text.size();) {
    const auto found = std::ranges::find_if(tokens, [&](const ClipSpecialToken& token) {
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

ClipTokenizer::ClipTokenizer(const TokenizerConfig& config)
    : config_(config), specials_(special_tokens(config)),
      several_vectors_(tokens_of_several_vectors(config.added_tokens)),
      encoder_(find_merge_list(config.folder)) {
  if (config_.max_length < 2) {
    throw Error("tokenizer's model_max_length must be at least 2, but is " +
                std::to_string(config_.max_length));
  }
}

std::vector<std::int64_t> ClipTokenizer::encode(std::string_view text) const {
  return ids_of(with_all_vectors(decode_utf8(text)));
}

std::vector<std::int64_t> ClipTokenizer::encode_padded(std::string_view text) const {
  const auto length = static_cast<std::size_t>(config_.max_length);
  std::vector<std::int64_t> ids = encode(text);
  ids.resize(std::min(ids.size(), length - 2));
  ids.insert(ids.begin(), kStartId);
  ids.push_back(kEndId);
  ids.resize(length, config_.pad_token_id);
  return ids;
}

std::vector<std::int64_t> ClipTokenizer::ids_of(const std::u32string& text) const {
  std::vector<std::int64_t> ids;
  const auto add_special = [&ids](const ClipSpecialToken& token) { ids.push_back(token.id); };
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
std::u32string ClipTokenizer::with_all_vectors(std::u32string text) const {
  if (several_vectors_.empty()) {
    return text;
  }
  const std::vector<std::int64_t> ids = ids_of(text);
  for (const ClipTokenOfVectors& token : several_vectors_) {
    if (std::ranges::find(ids, token.id) != ids.end()) {
      replace_all(text, token.name, token.all_names);
    }
  }
  return text;
}

} // namespace sdbench
