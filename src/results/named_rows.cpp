#include "sdbench/results/named_rows.h"

#include <algorithm>
#include <cstdint>
#include <set>

#include "sdbench/core/escape.h"
#include "sdbench/core/utf8.h"
#include "sdbench/record/record_fields.h"

namespace sdbench {
namespace {

/// Whether it is neither ASCII alone nor free of escapes. Most texts are plain, and there are many:
/// eight bytes at once.
bool needs_care(std::string_view text) {
  constexpr std::uint64_t kEach = 0x0101010101010101;
  constexpr std::uint64_t kTop = 0x80 * kEach;
  constexpr std::uint64_t kEscapes = '\\' * kEach;
  std::uint64_t found = 0;
  while (!text.empty()) {
    std::uint64_t word = 0;
    text.remove_prefix(text.copy(reinterpret_cast<char*>(&word), sizeof word));
    const std::uint64_t zero_if_escape = word ^ kEscapes;
    found |= word | ((zero_if_escape - kEach) & ~zero_if_escape);
  }
  return (found & kTop) != 0;
}

} // namespace

void NamedRows::set_columns(std::span<const std::string_view> names, std::size_t line) {
  columns_.clear();
  std::set<std::size_t> seen;
  for (const std::string_view name : names) {
    Column& column = columns_.emplace_back();
    const std::optional<std::size_t> field = find_field(name);
    if (!field) {
      continue;
    }
    if (!seen.insert(*field).second) {
      report_.bad(line, "must be named once; of two columns the first is read", std::string(name));
      continue;
    }
    const RecordField& of = record_fields()[*field];
    const bool is_text = type_name(of) == "text";
    column = {*field, true, is_text, is_text || is_optional(of)};
  }
  defaults_.clear();
  default_texts_.clear();
  const RunRecord empty;
  for (std::size_t field = 0; field < record_fields().size(); ++field) {
    const RecordField& of = record_fields()[field];
    if (!seen.contains(field) && type_name(of) != "text" && !is_optional(of)) {
      defaults_.push_back({field, default_texts_.emplace_back(field_text(empty, of))});
    }
  }
}

void NamedRows::add(std::span<const std::optional<std::string_view>> texts, RawTimes raw,
                    std::size_t line) {
  try {
    take(texts);
  } catch (const FieldError& error) {
    report_.bad(line, error.reason(), error.field());
    return;
  }
  report_.add(values_, std::move(raw), line);
}

bool NamedRows::try_add(std::span<const std::optional<std::string_view>> texts, RawTimes raw,
                        std::size_t line) {
  try {
    take(texts);
  } catch (const FieldError&) {
    return false;
  }
  return report_.try_add(values_, std::move(raw), line);
}

void NamedRows::take(std::span<const std::optional<std::string_view>> texts) {
  values_ = defaults_;
  unescaped_.clear();
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const bool is_absent = texts[i] && texts[i]->empty() && columns_[i].may_be_empty;
    if (columns_[i].is_known && !is_absent) {
      values_.push_back({columns_[i].field, value_of(columns_[i], texts[i])});
    }
  }
}

std::string_view NamedRows::value_of(const Column& column,
                                     const std::optional<std::string_view>& text) {
  const auto refuse = [&](const char* reason) {
    throw FieldError(record_fields()[column.field].name, reason);
  };
  if (!text) {
    refuse("must be text or a number, but is neither");
  }
  if (text->empty()) {
    refuse("must not be empty");
  }
  if (!column.is_text || !needs_care(*text)) {
    return *text;
  }
  if (to_valid_utf8(*text) != *text) {
    refuse("must be UTF-8, but is not; save the file as UTF-8");
  }
  return unescaped_.emplace_back(unescape_text(*text));
}

} // namespace sdbench
