#include "sdbench/front/compare/row_filter.h"

#include <algorithm>
#include <optional>
#include <set>

#include <fnmatch.h>

#include "sdbench/base/core/error.h"
#include "sdbench/base/core/in_quotes.h"
#include "sdbench/base/core/number_text.h"
#include "sdbench/base/record/old_words.h"
#include "sdbench/base/record/record_fields.h"

namespace sdbench {
namespace {

bool has_value(const ResultTable& table, std::size_t row, const RowFilter& filter) {
  const std::string text = table.value_text(row, filter.field);
  if (text == filter.value) {
    return true;
  }
  const std::optional<double> wanted = parse_number(filter.value);
  if (const std::optional<double> number = parse_number(text); wanted && number) {
    return *wanted == *number;
  }
  // Only where it is asked for: names of devices hold brackets.
  return filter.value.find_first_of("*?") != std::string::npos &&
         ::fnmatch(filter.value.c_str(), text.c_str(), 0) == 0;
}

bool passes(const ResultTable& table, std::size_t row, std::span<const RowFilter> filters) {
  std::set<std::size_t> wanted; // fields with alternatives
  std::set<std::size_t> found;
  for (const RowFilter& filter : filters) {
    const bool holds = has_value(table, row, filter);
    if (filter.is_negated && holds) {
      return false;
    }
    if (!filter.is_negated) {
      wanted.insert(filter.field);
      if (holds) {
        found.insert(filter.field);
      }
    }
  }
  return wanted == found;
}

} // namespace

RowFilter parse_filter(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0) {
    throw UsageError("--filter must be FIELD=VALUE or FIELD!=VALUE, such as model=sd15, but is " +
                     in_quotes(text));
  }
  RowFilter filter;
  filter.is_negated = text[equals - 1] == '!';
  filter.field = asked_field(text.substr(0, equals - (filter.is_negated ? 1 : 0)));
  // Rows are read with the words of today.
  filter.value = word_of_today(record_fields()[filter.field].name, text.substr(equals + 1));
  return filter;
}

std::vector<std::size_t> filtered_rows(const ResultTable& table,
                                       std::span<const RowFilter> filters) {
  std::vector<std::size_t> rows;
  rows.reserve(table.size());
  for (std::size_t row = 0; row < table.size(); ++row) {
    if (passes(table, row, filters)) {
      rows.push_back(row);
    }
  }
  return rows;
}

} // namespace sdbench
