#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "config_reader.h"
#include "sdbench/base/config/component_configs.h"
#include "sdbench/base/config/model_config.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/files/json_io.h"
#include "sdbench/base/numbers/number_text.h"
#include "sdbench/base/text/listed.h"

namespace sdbench {
namespace {

constexpr const char* kStart = "<|startoftext|>";
constexpr const char* kEnd = "<|endoftext|>";
constexpr const char* kExclamation = "!";

/// Ids of the tokens that may be special, in CLIP's vocabulary.
const std::map<std::string, std::int64_t> kSpecialIds{
    {kStart, 49'406}, {kEnd, 49'407}, {kExclamation, 0}};

/// A special token in a config: plain text, or an object with "content" and flags.
struct SpecialToken {
  std::string content;
  std::optional<bool> normalized; ///< empty: plain text
};

/// transformers' AddedToken: tokens that are not special are normalised unless the object says
/// otherwise.
bool normalized_flag(const Json& token, const std::string& where) {
  const ConfigReader reader(token, where);
  return reader.boolean("normalized", !reader.boolean("special", false));
}

/// Refuses conditions on a token's surroundings, which are not implemented.
void refuse_conditions(const ConfigReader& token) {
  token.only("lstrip", {false});
  token.only("rstrip", {false});
  token.only("single_word", {false});
}

SpecialToken read_token(const ConfigReader& reader, const char* key, const char* fallback) {
  const Json* value = reader.find(key);
  if (value == nullptr) {
    return {fallback, std::nullopt};
  }
  if (value->is_object()) {
    const std::string where = reader.where() + ": " + key;
    const ConfigReader token(*value, where);
    refuse_conditions(token);
    return {token.text("content", ""), normalized_flag(*value, where)};
  }
  return {reader.text(key, fallback), std::nullopt};
}

/// Content of "added_tokens_decoder".
struct AddedTokens {
  std::map<std::string, bool> normalized; ///< for CLIP's own tokens
  std::vector<AddedToken> others;
};

/// {"49406": {"content": "<|startoftext|>", "normalized": true, …}, "49408": {…}, …}.
AddedTokens read_added_tokens(const ConfigReader& reader) {
  AddedTokens added;
  const Json* tokens = reader.find("added_tokens_decoder");
  if (tokens == nullptr) {
    return added;
  }
  const std::string where = reader.where() + ": added_tokens_decoder";
  (void)ConfigReader(*tokens, where); // must be an object
  for (const auto& [id, token] : tokens->items()) {
    const ConfigReader entry(token, where);
    const std::string content = entry.text("content", "");
    const bool normalized = normalized_flag(token, where);
    check_added_token(content, id, where);
    if (kSpecialIds.contains(content)) {
      added.normalized[content] = normalized;
    } else {
      refuse_conditions(entry);
      added.others.push_back({content, parse_integer(id).value(), normalized});
    }
  }
  return added;
}

std::int64_t read_max_length(const ConfigReader& reader, std::int64_t max_position_count) {
  // transformers writes 1e30 for "no limit given".
  const Json* length = reader.find("model_max_length");
  if (length == nullptr || length->is_null() ||
      (length->is_number() && length->get<double>() > 1e20)) {
    return max_position_count;
  }
  return reader.integer("model_max_length", 0, {3, max_position_count});
}

} // namespace

void check_added_token(const std::string& content, const std::string& id,
                       const std::string& where) {
  const auto known = kSpecialIds.find(content);
  const auto number = parse_integer(id);
  if (known != kSpecialIds.end() ? number != known->second
                                 : content.empty() || !number || *number < kClipVocabulary) {
    throw Error(where +
                " must hold <|startoftext|>, <|endoftext|> and ! with CLIP's ids, and others "
                "with ids from " +
                std::to_string(kClipVocabulary) + " on, but has " + describe_json(content) +
                " with id " + describe_json(id));
  }
}

TokenizerConfig parse_tokenizer_config(const Json& config, std::int64_t max_position_count,
                                       const std::string& where) {
  const ConfigReader reader(config, where);
  reader.only("tokenizer_class", {"CLIPTokenizer", "CLIPTokenizerFast", nullptr});
  reader.only("additional_special_tokens", {Json::array(), nullptr});
  reader.only("extra_special_tokens", {Json::array(), Json::object(), nullptr});

  reader.only("padding_side", {"right"});
  reader.only("truncation_side", {"right"});
  reader.only("split_special_tokens", {false, nullptr});

  // Several keys may name one token. transformers adds them in this order, and the last one's flag
  // holds. A flag in added_tokens_decoder overrides the keys, and plain text means "not
  // normalised".
  AddedTokens added = read_added_tokens(reader);
  std::map<std::string, bool> normalized;
  const auto add = [&](const char* key, const char* fallback,
                       const std::vector<std::string>& choices) {
    const SpecialToken token = read_token(reader, key, fallback);
    if (std::find(choices.begin(), choices.end(), token.content) == choices.end()) {
      throw Error(where + ": " + key + " must be " + joined(choices, " or ") + ", but is " +
                  describe_json(token.content));
    }
    const auto found = added.normalized.find(token.content);
    normalized[token.content] =
        found != added.normalized.end() ? found->second : token.normalized.value_or(false);
    return token.content;
  };
  add("bos_token", kStart, {kStart});
  add("eos_token", kEnd, {kEnd});
  add("unk_token", kEnd, {kEnd});
  const std::string pad = add("pad_token", kEnd, {kEnd, kExclamation});

  TokenizerConfig tokenizer;
  tokenizer.pad_token_id = kSpecialIds.at(pad);
  tokenizer.max_length = read_max_length(reader, max_position_count);
  tokenizer.bos_normalized = normalized.at(kStart);
  tokenizer.eos_normalized = normalized.at(kEnd);
  tokenizer.pad_normalized = normalized.at(pad);
  tokenizer.added_tokens = std::move(added.others);
  return tokenizer;
}

} // namespace sdbench
