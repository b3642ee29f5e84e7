#include "sdbench/results/named_rows.h"

#include <algorithm>
#include <limits>
#include <set>

#include "sdbench/core/escape.h"
#include "sdbench/core/utf8.h"
#include "sdbench/record/record_fields.h"

namespace sdbench {
namespace {

constexpr std::size_t kUnknown = std::numeric_limits<std::size_t>::max();

std::size_t known_field(std::string_view name) {
  const auto fields = record_fields();
  const auto found = std::ranges::find(fields, name, &RecordField::name);
  return found == fields.end() ? kUnknown : static_cast<std::size_t>(found - fields.begin());
}

bool is_utf8(std::string_view text) {
  const auto is_ascii = [](char byte) { return static_cast<signed char>(byte) >= 0; };
  return std::ranges::all_of(text, is_ascii) || to_valid_utf8(text) == text;
}

} // namespace

NamedRows::NamedRows(RowReport& report) : report_(report) {
  for (const RecordField& field : record_fields()) {
    is_text_.push_back(type_name(field) == "text");
  }
}

void NamedRows::set_columns(std::span<const std::string_view> names, std::size_t line) {
  columns_.clear();
  std::set<std::size_t> seen;
  for (const std::string_view name : names) {
    const std::size_t field = known_field(name);
    const bool is_new = field == kUnknown || seen.insert(field).second;
    if (!is_new) {
      report_.bad(line, "must be named once; of two columns the first is read", std::string(name));
    }
    columns_.push_back(is_new ? field : kUnknown);
  }
  defaults_.clear();
  default_texts_.clear();
  const RunRecord empty;
  for (std::size_t field = 0; field < record_fields().size(); ++field) {
    const RecordField& of = record_fields()[field];
    if (!seen.contains(field) && !is_text_[field] && !is_optional(of)) {
      defaults_.push_back({field, default_texts_.emplace_back(field_text(empty, of))});
    }
  }
}

void NamedRows::add(std::span<const std::optional<std::string_view>> texts, RawTimes raw,
                    std::size_t line) {
  values_ = defaults_;
  unescaped_.clear();
  try {
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (columns_[i] != kUnknown) {
        values_.push_back({columns_[i], value_of(columns_[i], texts[i])});
      }
    }
  } catch (const FieldError& error) {
    report_.bad(line, error.reason(), error.field());
    return;
  }
  report_.add(values_, std::move(raw), line);
}

std::string_view NamedRows::value_of(std::size_t field,
                                     const std::optional<std::string_view>& text) {
  const std::string_view name = record_fields()[field].name;
  if (!text) {
    throw FieldError(name, "must be text or a number, but is neither");
  }
  if (!is_text_[field]) {
    if (text->empty() && !is_optional(record_fields()[field])) {
      throw FieldError(name, "must not be empty");
    }
    return *text;
  }
  if (!is_utf8(*text)) {
    throw FieldError(name, "must be UTF-8, but is not; save the file as UTF-8");
  }
  return text->find('\\') == std::string_view::npos
             ? *text
             : std::string_view(unescaped_.emplace_back(unescape_text(*text)));
}

} // namespace sdbench
