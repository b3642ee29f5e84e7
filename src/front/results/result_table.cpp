#include "sdbench/front/results/result_table.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <type_traits>
#include <utility>
#include <variant>

#include "sdbench/base/errors/error.h"
#include "sdbench/base/errors/suggestion.h"
#include "sdbench/base/numbers/number_text.h"
#include "sdbench/base/text/in_quotes.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/front/record/record_field.h"

namespace sdbench {
namespace {

constexpr double kAbsent = std::numeric_limits<double>::quiet_NaN();

/// True for texts and seeds. A double holds all other numbers exactly, because bytes and counts
/// stay far below 2^53.
bool kept_as_text(const RecordField& field) {
  return type_name(field) == "text" ||
         std::holds_alternative<std::uint64_t RunRecord::*>(field.member);
}

std::optional<double> as_double(std::optional<std::int64_t> number) {
  return number ? std::optional(static_cast<double>(*number)) : std::nullopt;
}

} // namespace

std::size_t asked_field(std::string_view name, std::string_view option) {
  if (const auto place = find_field(name)) {
    return *place;
  }
  const auto names = mapped<std::string>(record_fields(), &RecordField::name);
  throw UsageError(std::string(option) +
                   " must name a field of a record (docs/record.md lists them), but names " +
                   in_quotes(name) + did_you_mean(std::string(name), names));
}

ResultTable::ResultTable() {
  for (const RecordField& field : record_fields()) {
    columns_.push_back({kept_as_text(field), type_name(field) == "integer", {}, {}});
  }
  (void)pooled("");
}

ResultTable ResultTable::copy() const {
  ResultTable same;
  same.columns_ = columns_;
  same.origins_ = origins_;
  same.files_ = files_;
  same.room_ = room_;
  for (const std::string& text : texts_) { // in the order of their ids
    (void)same.pooled(text);
  }
  return same;
}

std::uint32_t ResultTable::add_file(std::filesystem::path file) {
  files_.push_back(std::move(file));
  return static_cast<std::uint32_t>(files_.size() - 1);
}

void ResultTable::number_files() {
  for (std::size_t i = 0; i < files_.size(); ++i) {
    files_[i] = "file " + std::to_string(i + 1);
  }
}

std::size_t ResultTable::add_row(ResultOrigin origin) {
  if (origins_.size() == room_) {
    make_room();
  }
  origins_.push_back(origin);
  return origins_.size() - 1;
}

std::size_t ResultTable::add(const RunRecord& record, ResultOrigin origin) {
  const std::size_t row = add_row(origin);
  for (std::size_t field = 0; field < columns_.size(); ++field) {
    Column& column = columns_[field];
    const auto put = [&]<typename T>(const T& value) {
      if constexpr (std::is_same_v<T, std::string>) {
        column.texts[row] = place_of(row, field, value);
      } else if constexpr (std::is_same_v<T, std::uint64_t>) {
        column.texts[row] = place_of(row, field, std::to_string(value));
      } else if constexpr (std::is_arithmetic_v<T>) {
        column.numbers[row] = static_cast<double>(value);
      } else {
        column.numbers[row] = value ? static_cast<double>(*value) : kAbsent;
      }
    };
    std::visit([&](auto member) { put(record.*member); }, record_fields()[field].member);
  }
  return row;
}

/// Makes room in all columns at once, for many rows. There are two hundred columns; growing each by
/// itself takes a tenth of the time of reading.
void ResultTable::make_room() {
  constexpr std::size_t kLeast = 32;
  room_ += std::max(kLeast, room_ / 4);
  for (Column& column : columns_) {
    if (column.is_text) {
      column.texts.resize(room_);
    } else {
      column.numbers.resize(room_, kAbsent);
    }
  }
}

void ResultTable::put_last_at(std::size_t row) {
  const std::size_t last = origins_.size() - 1;
  origins_[row] = origins_[last];
  for (Column& column : columns_) {
    if (column.is_text) {
      column.texts[row] = column.texts[last];
    } else {
      column.numbers[row] = column.numbers[last];
    }
  }
}

std::vector<std::size_t> ResultTable::all_rows() const {
  std::vector<std::size_t> rows(size());
  std::iota(rows.begin(), rows.end(), 0U);
  return rows;
}

void ResultTable::drop_last() {
  origins_.pop_back();
  for (Column& column : columns_) {
    if (column.is_text) {
      column.texts[origins_.size()] = 0;
    } else {
      column.numbers[origins_.size()] = kAbsent;
    }
  }
}

std::uint32_t ResultTable::pooled(std::string_view text) {
  if (const auto found = places_.find(text); found != places_.end()) {
    return found->second;
  }
  const auto place = static_cast<std::uint32_t>(pool_.size());
  pool_.push_back(texts_.emplace_back(text));
  places_.emplace(pool_.back(), place);
  return place;
}

std::uint32_t ResultTable::place_of(std::size_t row, std::size_t field, std::string_view text) {
  const std::vector<std::uint32_t>& texts = columns_[field].texts;
  for (std::size_t back = 1; back <= std::min<std::size_t>(row, 2); ++back) {
    if (pool_[texts[row - back]] == text) {
      return texts[row - back];
    }
  }
  return pooled(text);
}

void ResultTable::set(std::size_t row, std::size_t field, const CellValue& value) {
  if (value.kind == CellValue::Kind::kText) {
    set(row, field, value.text);
  } else {
    columns_[field].numbers[row] = value.number;
  }
}

void ResultTable::set(std::size_t row, std::size_t field, std::string_view text) {
  Column& column = columns_[field];
  const bool is_number = column.is_integer || !column.is_text;
  std::optional<double> number;
  if (is_number && !text.empty()) {
    number = column.is_text      ? parse_unsigned(text) ? std::optional(0.0) : std::nullopt
             : column.is_integer ? as_double(parse_integer(text))
                                 : parse_number(text);
    if (!number || !std::isfinite(*number)) {
      const RecordField& of = record_fields()[field];
      throw FieldError(of.name, "must be of type " + std::string(type_name(of)) + ", but is " +
                                    in_quotes(text));
    }
  }
  if (column.is_text) {
    column.texts[row] = place_of(row, field, text);
  } else {
    column.numbers[row] = number.value_or(kAbsent);
  }
}

std::string_view ResultTable::text(std::size_t row, std::size_t field) const {
  return pool_[columns_[field].texts.at(row)];
}

std::uint32_t ResultTable::text_id(std::size_t row, std::size_t field) const {
  return columns_[field].texts.at(row);
}

std::optional<double> ResultTable::number(std::size_t row, std::size_t field) const {
  const double number = columns_[field].numbers.at(row);
  return std::isnan(number) ? std::nullopt : std::optional(number);
}

bool ResultTable::says(std::size_t row, std::size_t field) const {
  return columns_[field].is_text ? text_id(row, field) != 0 : number(row, field).has_value();
}

std::string ResultTable::value_text(std::size_t row, std::size_t field) const {
  if (columns_[field].is_text) {
    return std::string(text(row, field));
  }
  const auto value = number(row, field);
  if (!value || !columns_[field].is_integer) {
    return value ? number_text(*value) : "";
  }
  // As a double, the largest integer is rounded up to a number that no integer can hold.
  constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
  return std::to_string(*value >= static_cast<double>(kMost) ? kMost
                                                             : static_cast<std::int64_t>(*value));
}

} // namespace sdbench
