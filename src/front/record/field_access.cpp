#include "sdbench/front/record/field_access.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <stdexcept>
#include <type_traits>
#include <unordered_map>
#include <variant>

#include "sdbench/base/config/engine_axis_table.h"
#include "sdbench/base/numbers/number_text.h"
#include "sdbench/base/text/escape.h"
#include "sdbench/base/text/in_quotes.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/front/record/record_field_table.h"

namespace sdbench {
namespace {

/// The program that reads schema versions 1 to 3 and writes version 4.
constexpr std::string_view kConverter = "`sdbench merge` of commit 07874711";

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

/// Reads `text` into `value`. Returns false if it does not fit.
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

std::string schema_obstacle(std::int64_t version, std::int64_t oldest, std::int64_t newest) {
  if (version >= oldest && version <= newest) {
    return "";
  }
  const std::string range = oldest == newest
                                ? std::to_string(newest)
                                : std::to_string(oldest) + " to " + std::to_string(newest);
  const std::string deed =
      version > newest
          ? "read it with a newer sdbench"
          : "convert the file with the last sdbench that reads it: " + std::string(kConverter);
  return "must be " + range + ", but is " + std::to_string(version) +
         (version > 0 ? "; " + deed : "");
}

std::string append_obstacle(const std::string& file, std::int64_t version, std::int64_t oldest,
                            std::int64_t newest) {
  if (version >= newest) {
    return "";
  }
  const std::string deed =
      version < oldest
          ? "convert this one with the last sdbench that reads it: " + std::string(kConverter)
          : "bring this one up to date: sdbench merge " + shell_word(file) + " -o NEW" +
                std::filesystem::path(file).extension().string();
  return "cannot append to " + file + ": its rows must be of schema version " +
         std::to_string(newest) + ", but are of version " + std::to_string(version) +
         " (written by an earlier sdbench); name another file, or " + deed;
}

void check_schema_version(std::int64_t version) {
  if (const std::string obstacle = schema_obstacle(version, kOldestSchemaVersion, kSchemaVersion);
      !obstacle.empty()) {
    throw FieldError("schema_version", obstacle);
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

std::string head_with_unit(const RecordField& field) {
  return joined({std::string(field.words.value_or(field.name)), std::string(field.unit)}, " ");
}

bool is_optional(const RecordField& field) {
  return std::visit([]<typename T>(T RunRecord::*) { return IsOptional<T>::value; }, field.member);
}

std::string field_text(const RunRecord& record, const RecordField& field) {
  return std::visit([&](auto member) { return value_text(record.*member); }, field.member);
}

void set_field_text(RunRecord& record, const RecordField& field, std::string_view text) {
  if (!std::visit([&](auto member) { return read_value(record.*member, text); }, field.member)) {
    throw FieldError(field.name, "must be of type " + std::string(type_name(field)) + ", but is " +
                                     in_quotes(text));
  }
}

std::vector<FieldName> fields_of_axes() {
  std::vector<FieldName> fields;
  std::ranges::transform(axis_names(), std::back_inserter(fields), FieldName::of);
  return fields;
}

} // namespace sdbench
