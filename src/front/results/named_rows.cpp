#include "sdbench/front/results/named_rows.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <set>
#include <utility>
#include <variant>

#include "sdbench/base/text/escape.h"
#include "sdbench/base/text/utf8.h"
#include "sdbench/front/record/cell_value.h"
#include "sdbench/front/record/field_access.h"
#include "sdbench/front/record/raw_times.h"
#include "sdbench/front/record/record_field.h"
#include "sdbench/front/record/run_record.h"
#include "sdbench/front/results/eight_bytes.h"

namespace sdbench {
namespace {

/// True if the text is not plain ASCII or has escapes.
bool needs_care(std::string_view text) {
  std::uint64_t found = 0;
  for (; text.size() >= sizeof found; text.remove_prefix(sizeof found)) {
    const std::uint64_t eight = eight_at(text.data());
    found |= eight | bytes_like(eight, '\\');
  }
  return has_found(found) || std::ranges::any_of(text, [](char byte) {
           return byte == '\\' || static_cast<unsigned char>(byte) >= 0x80;
         });
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
    const bool is_seed = std::holds_alternative<std::uint64_t RunRecord::*>(of.member);
    column = {.field = *field,
              .is_known = true,
              .is_text = is_text,
              .may_be_empty = is_text || is_optional(of),
              .takes_integers = !is_text && !is_seed, // a double cannot hold a seed's 64 bits
              .takes_numbers = type_name(of) == "number"};
  }
  defaults_.clear();
  default_texts_.clear();
  const RunRecord empty;
  for (std::size_t field = 0; field < record_fields().size(); ++field) {
    const RecordField& of = record_fields()[field];
    if (!seen.contains(field) && type_name(of) != "text" && !is_optional(of)) {
      defaults_.push_back(
          {field, std::string_view(default_texts_.emplace_back(field_text(empty, of)))});
    }
  }
}

void NamedRows::add(std::span<const CellValue> values, RawTimes raw, std::size_t line) {
  try {
    take(values);
  } catch (const FieldError& error) {
    report_.bad(line, error.reason(), error.field());
    return;
  }
  report_.add(values_, std::move(raw), line);
}

bool NamedRows::try_add(std::span<const CellValue> values, RawTimes raw, std::size_t line) {
  try {
    take(values);
  } catch (const FieldError&) {
    return false;
  }
  return report_.try_add(values_, std::move(raw), line);
}

void NamedRows::take(std::span<const CellValue> values) {
  values_ = defaults_;
  texts_.clear();
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const Column& column = columns_[i];
    const bool is_absent = values[i].is_absent() && column.may_be_empty;
    if (column.is_known && !is_absent) {
      values_.push_back({column.field, values[i]});
      if (!is_read(column, values[i])) {
        values_.back().value = read(column, values[i]);
      }
    }
  }
}

/// True if the value has the type of its field, which is the usual case.
bool NamedRows::is_read(const Column& column, const CellValue& value) {
  switch (value.kind) {
  case CellValue::Kind::kText:
    return !value.text.empty() && (!column.is_text || !needs_care(value.text));
  case CellValue::Kind::kInteger:
    return column.takes_integers;
  case CellValue::Kind::kNumber:
    return column.takes_numbers && std::isfinite(value.number);
  case CellValue::Kind::kNeither:
    break;
  }
  return false;
}

std::string_view NamedRows::read(const Column& column, const CellValue& value) {
  const auto refuse = [&](const char* reason) {
    throw FieldError(record_fields()[column.field].name, reason);
  };
  if (value.kind == CellValue::Kind::kNeither) {
    refuse("must be text or a number, but is neither");
  }
  std::string text = value.as_text();
  if (text.empty()) {
    refuse("must not be empty");
  }
  if (column.is_text && to_valid_utf8(text) != text) {
    refuse("must be UTF-8, but is not; save the file as UTF-8");
  }
  return texts_.emplace_back(column.is_text ? unescape_text(text) : std::move(text));
}

} // namespace sdbench
