#include "sdbench/front/compare/shown_value.h"

#include <algorithm>

#include "sdbench/front/compare/grouping.h"
#include "sdbench/front/record/field_name.h"
#include "sdbench/front/words/engine_words.h"

namespace sdbench {

std::size_t row_that_says(const ResultTable& table, std::span<const std::size_t> rows,
                          FieldName field) {
  const auto found =
      std::ranges::find_if(rows, [&](std::size_t row) { return table.says(row, field); });
  return found == rows.end() ? rows.front() : *found;
}

std::string titled_value(const ResultTable& table, std::size_t row, FieldName field) {
  const std::string value = table.value_text(row, field);
  return field == FieldName("engine") ? engine_title(value) : value;
}

std::string shown_value(const ResultTable& table, std::size_t row, FieldName field) {
  const std::string value = titled_value(table, row, field);
  return field == FieldName("weights") ? std::string(weights_kind(value)) : value;
}

} // namespace sdbench
