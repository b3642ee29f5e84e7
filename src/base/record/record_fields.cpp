#include "sdbench/base/record/record_fields.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <type_traits>
#include <unordered_map>
#include <variant>

#include "sdbench/base/core/in_quotes.h"
#include "sdbench/base/core/number_text.h"
#include "sdbench/base/record/field_name.h"
#include "sdbench/base/record/old_words.h"
#include "sdbench/base/record/record_field_table.h"

namespace sdbench {
namespace {

template <typename T>
struct IsOptional : std::false_type {};
template <typename T>
struct IsOptional<std::optional<T>> : std::true_type {};

template <typename T>
std::string value_text(const T& value) {
  if constexpr (IsOptional<T>::value) {
    return value ? value_text(*value) : std::string();
  } else if constexpr (std::is_same_v<T, std::string>) {
    return value;
  } else if constexpr (std::is_same_v<T, double>) {
    return number_text(value);
  } else {
    return std::to_string(value);
  }
}

/// Whether `text` could be read into `value`.
template <typename T>
bool read_value(T& value, std::string_view text) {
  if constexpr (IsOptional<T>::value) {
    value.reset();
    return text.empty() || read_value(value.emplace(), text);
  } else if constexpr (std::is_same_v<T, std::string>) {
    value = text;
    return true;
  } else {
    std::optional<T> parsed;
    if constexpr (std::is_same_v<T, double>) {
      parsed = parse_number(text);
      parsed = parsed && std::isfinite(*parsed) ? parsed : std::nullopt;
    } else if constexpr (std::is_same_v<T, std::uint64_t>) {
      parsed = parse_unsigned(text);
    } else {
      parsed = parse_integer(text);
    }
    value = parsed.value_or(T{});
    return parsed.has_value();
  }
}

} // namespace

std::span<const RecordField> record_fields() {
  return kRecordFields;
}

std::optional<std::size_t> find_field(std::string_view name) {
  static const auto places = [] {
    std::unordered_map<std::string_view, std::size_t> all;
    for (const RecordField& field : record_fields()) {
      all.emplace(field.name, all.size());
    }
    return all;
  }();
  const auto found = places.find(name);
  return found == places.end() ? std::nullopt : std::optional(found->second);
}

const RecordField& field_named(FieldName name) {
  return kRecordFields[name.place()];
}

FieldName FieldName::of(std::string_view name) {
  const std::optional<std::size_t> place = find_field(name);
  if (!place) {
    throw std::logic_error("no field of the record has the name " + std::string(name));
  }
  return FieldName(*place);
}

void check_schema_version(std::int64_t version) {
  if (version < 1 || version > kSchemaVersion) {
    throw FieldError("schema_version", "must be 1 to " + std::to_string(kSchemaVersion) +
                                           ", but is " + std::to_string(version) +
                                           (version > 0 ? "; read it with a newer sdbench" : ""));
  }
}

std::string_view type_name(const RecordField& field) {
  return std::visit(
      []<typename T>(T RunRecord::*) -> std::string_view {
        if constexpr (std::is_same_v<T, std::string>) {
          return "text";
        } else if constexpr (std::is_same_v<T, double> ||
                             std::is_same_v<T, std::optional<double>>) {
          return "number";
        } else {
          return "integer";
        }
      },
      field.member);
}

bool is_optional(const RecordField& field) {
  return std::visit([]<typename T>(T RunRecord::*) { return IsOptional<T>::value; }, field.member);
}

std::string field_text(const RunRecord& record, const RecordField& field) {
  return std::visit([&](auto member) { return value_text(record.*member); }, field.member);
}

void set_field_text(RunRecord& record, const RecordField& field, std::string_view text) {
  const std::string_view word = word_of_today(field.name, text);
  if (!std::visit([&](auto member) { return read_value(record.*member, word); }, field.member)) {
    throw FieldError(field.name, "must be of type " + std::string(type_name(field)) + ", but is " +
                                     in_quotes(text));
  }
}

} // namespace sdbench
