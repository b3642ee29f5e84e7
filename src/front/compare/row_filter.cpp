#include "sdbench/front/compare/row_filter.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <set>
#include <tuple>

#include <fnmatch.h>

#include "sdbench/base/errors/error.h"
#include "sdbench/base/numbers/number_text.h"
#include "sdbench/base/text/escape.h"
#include "sdbench/base/text/in_quotes.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/base/types/tags.h"
#include "sdbench/front/record/field_access.h"
#include "sdbench/front/record/field_name.h"

namespace sdbench {
namespace {

constexpr std::string_view kFilter = "--filter";

std::string filtered_text(const ResultTable& table, std::size_t row, const RowFilter& filter) {
  std::string text = table.value_text(row, filter.field);
  return filter.tag.empty() ? text : tag_value(text, filter.tag);
}

/// The field as the user named it: "model", "tag:cooler".
std::string field_words(const RowFilter& filter) {
  return filter.tag.empty() ? std::string(record_fields()[filter.field].name)
                            : std::string(kTagPrefix) + filter.tag;
}

bool has_value(const ResultTable& table, std::size_t row, const RowFilter& filter) {
  const std::string text = filtered_text(table, row, filter);
  if (text == filter.value) {
    return true;
  }
  const std::optional<double> wanted = parse_number(filter.value);
  if (const std::optional<double> number = parse_number(text); wanted && number) {
    return *wanted == *number;
  }
  // Matches as a pattern only with * or ?, because names of devices may have brackets.
  return filter.value.find_first_of("*?") != std::string::npos &&
         ::fnmatch(filter.value.c_str(), text.c_str(), 0) == 0;
}

bool passes(const ResultTable& table, std::size_t row, std::span<const RowFilter> filters) {
  std::set<std::string> wanted; // fields of which one of the values is required
  std::set<std::string> found;
  for (const RowFilter& filter : filters) {
    const bool holds = has_value(table, row, filter);
    if (filter.is_negated && holds) {
      return false;
    }
    if (!filter.is_negated) {
      wanted.insert(field_words(filter));
      if (holds) {
        found.insert(field_words(filter));
      }
    }
  }
  return wanted == found;
}

std::string filter_words(const RowFilter& filter) {
  return field_words(filter) + (filter.is_negated ? "!=" : "=") + filter.value;
}

/// Orders numbers first, by value, and the empty text last.
bool stands_before(const std::string& a, const std::string& b) {
  const auto key = [](const std::string& text) {
    const std::optional<double> number = parse_number(text);
    const bool is_number = number && !std::isnan(*number); // NaN has no order
    return std::tuple(text.empty(), !is_number, is_number ? *number : 0);
  };
  return key(a) != key(b) ? key(a) < key(b) : a < b;
}

/// The first few of the field's values in these rows: "batch is 1, 4 or 8".
std::string values_words(const ResultTable& table, std::span<const std::size_t> rows,
                         const RowFilter& filter) {
  constexpr std::size_t kMostNamed = 8;
  std::set<std::string, decltype(&stands_before)> texts(&stands_before);
  for (const std::size_t row : rows) {
    texts.insert(filtered_text(table, row, filter));
  }
  std::vector<std::string> values = mapped(
      texts, [](const std::string& text) { return text.empty() ? "empty" : one_line(text); });
  const std::size_t more = values.size() - std::min(values.size(), kMostNamed);
  values.resize(values.size() - more);
  if (more > 0) {
    values.push_back("one of " + std::to_string(more) + " others");
  }
  return field_words(filter) + " is " + listed(values);
}

} // namespace

RowFilter parse_filter(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0) {
    throw UsageError(std::string(kFilter) +
                     " must be FIELD=VALUE or FIELD!=VALUE, such as model=sd15, but is " +
                     in_quotes(text));
  }
  RowFilter filter;
  filter.is_negated = text[equals - 1] == '!';
  const std::string_view name = text.substr(0, equals - (filter.is_negated ? 1 : 0));
  filter.tag = tag_key_of(name, kFilter);
  filter.field = filter.tag.empty() ? asked_field(name, kFilter) : field_index("tags");
  filter.value = text.substr(equals + 1);
  return filter;
}

std::vector<std::size_t> filtered_rows(const ResultTable& table,
                                       std::span<const RowFilter> filters) {
  std::vector<std::size_t> rows = table.all_rows();
  std::erase_if(rows, [&](std::size_t row) { return !passes(table, row, filters); });
  return rows;
}

std::string why_none_is_left(const ResultTable& table, std::span<const RowFilter> filters) {
  std::vector<RowFilter> so_far;
  std::vector<std::size_t> before = filtered_rows(table, so_far);
  for (const RowFilter& filter : filters) {
    // Several values of one field are alternatives, so test all of them together.
    std::vector<RowFilter> of_field;
    std::ranges::copy_if(filters, std::back_inserter(of_field), [&](const RowFilter& other) {
      return field_words(other) == field_words(filter);
    });
    std::vector<RowFilter> with = so_far;
    with.insert(with.end(), of_field.begin(), of_field.end());
    if (filtered_rows(table, with).empty()) {
      return std::string(kFilter) + " " + listed(mapped(of_field, filter_words)) +
             " must leave rows to compare, but leaves none of " + std::to_string(before.size()) +
             (so_far.empty() ? "" : " that the others leave") + ", whose " +
             values_words(table, before, filter);
    }
    so_far.insert(so_far.end(), of_field.begin(), of_field.end());
    before = filtered_rows(table, so_far);
  }
  return "";
}

} // namespace sdbench
