#include "sdbench/base/types/tags.h"

#include <algorithm>
#include <functional>
#include <map>

#include "sdbench/base/errors/error.h"
#include "sdbench/base/text/escape.h"
#include "sdbench/base/text/in_quotes.h"
#include "sdbench/base/text/listed.h"

namespace sdbench {
namespace {

constexpr std::size_t kLongestKey = 32;
constexpr std::size_t kLongestValue = 100;
constexpr std::size_t kMostTags = 16;

bool is_key(std::string_view text) {
  return !text.empty() && text.size() <= kLongestKey &&
         text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == std::string_view::npos;
}

/// True for text without bytes that a record escapes or that separate tags.
bool is_value(std::string_view text) {
  return !text.empty() && text.find_first_of(" \t\n\r") == std::string_view::npos &&
         escape_text(text) == text;
}

std::string_view key_of(std::string_view tag) {
  return tag.substr(0, tag.find('='));
}

void check_tag(const std::string& tag) {
  const std::size_t equals = tag.find('=');
  if (equals == std::string::npos || !is_key(key_of(tag))) {
    throw UsageError("tag must be KEY=VALUE with a key of 1 to " + std::to_string(kLongestKey) +
                     " of a-z, 0-9 and _, such as cooler=air, but is " + in_quotes(tag));
  }
  const std::string value = tag.substr(equals + 1);
  if (value.size() > kLongestValue) {
    throw UsageError("tag must have a value of at most " + std::to_string(kLongestValue) +
                     " bytes, but that of " + std::string(key_of(tag)) + " has " +
                     std::to_string(value.size()) + "; longer remarks go into --note");
  }
  if (!is_value(value)) {
    throw UsageError("tag must have a value of UTF-8 without blanks, backslashes and control "
                     "characters, but is " +
                     in_quotes(tag));
  }
}

} // namespace

std::string tag_key_of(std::string_view field, std::string_view option) {
  if (!field.starts_with(kTagPrefix)) {
    return {};
  }
  const std::string key(field.substr(kTagPrefix.size()));
  if (!is_key(key)) {
    throw UsageError(std::string(option) +
                     " must have the key of a --tag after tag:, such as tag:cooler, but has " +
                     in_quotes(key));
  }
  return key;
}

std::string joined_tags(const std::vector<std::string>& given) {
  std::map<std::string, std::string> tags; // by key
  for (const std::string& tag : given) {
    check_tag(tag);
    const std::string key(key_of(tag));
    if (!tags.try_emplace(key, tag).second) {
      throw UsageError("tag must name each key once, but names " + key + " twice");
    }
  }
  if (tags.size() > kMostTags) {
    throw UsageError("tag must be given at most " + std::to_string(kMostTags) + " times, but is " +
                     std::to_string(tags.size()) + " times");
  }
  return joined(mapped(tags, [](const auto& tag) { return tag.second; }), " ");
}

std::string tag_value(std::string_view tags, std::string_view key) {
  for (const std::string_view tag : split(tags, ' ')) {
    if (key_of(tag) == key && tag.size() > key.size()) {
      return std::string(tag.substr(key.size() + 1));
    }
  }
  return {};
}

std::vector<std::string> tag_keys(std::string_view tags) {
  return tags.empty() ? std::vector<std::string>() : mapped<std::string>(split(tags, ' '), key_of);
}

std::string tags_of(std::string_view tags, std::span<const std::string> keys) {
  const auto is_kept = [&](std::string_view tag) {
    return std::ranges::find(keys, key_of(tag)) != keys.end();
  };
  return joined(mapped_if<std::string>(split(tags, ' '), is_kept, std::identity()), " ");
}

} // namespace sdbench
