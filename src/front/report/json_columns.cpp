#include "json_columns.h"

#include "sdbench/base/text/listed.h"
#include "sdbench/front/record/flags.h"
#include "sdbench/front/record/record_field.h"
#include "sdbench/front/results/row_contradiction.h"

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <utility>

namespace sdbench {
namespace {

/// The field's column, or null if no row has the field.
OrderedJson column_json(const ResultTable& table, std::size_t field) {
  const RecordField& facts = record_fields()[field];
  if (type_name(facts) == "text" || facts.name == "seed") {
    TextColumn column;
    for (std::size_t row = 0; row < table.size(); ++row) {
      column.add(table.text(row, field));
    }
    return column.has_text() ? std::move(column).json(facts.name, facts.unit, facts.description)
                             : OrderedJson();
  }
  OrderedJson numbers = OrderedJson::array();
  bool has_number = false;
  for (std::size_t row = 0; row < table.size(); ++row) {
    const bool is_believed =
        !is_figure(field) || !holds_flag(table.text(row, "flags"), kContradicts);
    numbers.push_back(is_believed ? or_null(table.number(row, field)) : OrderedJson());
    has_number = has_number || !numbers.back().is_null();
  }
  return has_number ? OrderedJson{{"name", facts.name},
                                  {"unit", facts.unit},
                                  {"meaning", facts.description},
                                  {"is_whole", type_name(facts) == "integer"},
                                  {"numbers", std::move(numbers)}}
                    : OrderedJson();
}

} // namespace

OrderedJson number_json(double value) {
  if (!std::isfinite(value)) {
    return nullptr;
  }
  constexpr double kExactIntegers = 1e15;
  if (value == std::floor(value) && std::abs(value) < kExactIntegers) {
    return static_cast<std::int64_t>(value);
  }
  char text[32];
  std::snprintf(text, sizeof text, "%.7g", value);
  return std::strtod(text, nullptr);
}

OrderedJson numbers_json(const std::vector<double>& values) {
  return mapped(values, number_json);
}

OrderedJson or_null(const std::optional<double>& value) {
  return value ? number_json(*value) : OrderedJson();
}

void TextColumn::add(std::string_view text) {
  const auto [place, is_new] = places_.try_emplace(std::string(text), values_.size());
  if (is_new) {
    values_.push_back(text);
  }
  index_.push_back(place->second);
  has_text_ = has_text_ || !text.empty();
}

OrderedJson TextColumn::json(std::string_view name, std::string_view unit,
                             std::string_view meaning) && {
  return {{"name", name},
          {"unit", unit},
          {"meaning", meaning},
          {"texts", std::move(values_)},
          {"index", std::move(index_)}};
}

OrderedJson columns_json(const ResultTable& table) {
  OrderedJson columns = OrderedJson::array();
  for (std::size_t field = 0; field < record_fields().size(); ++field) {
    if (OrderedJson column = column_json(table, field); !column.is_null()) {
      if (const auto words = record_fields()[field].words) {
        column["words"] = *words;
      }
      columns.push_back(std::move(column));
    }
  }
  TextColumn file;
  for (std::size_t row = 0; row < table.size() && !table.files().empty(); ++row) {
    file.add(table.files().at(table.origin(row).file).filename().string());
  }
  if (file.has_text()) {
    columns.push_back(std::move(file).json("file", "", "Name of the file that the row stands in."));
  }
  return columns;
}

} // namespace sdbench
