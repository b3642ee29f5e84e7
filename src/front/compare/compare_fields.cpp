#include "sdbench/front/compare/compare_fields.h"

#include <algorithm>
#include <set>
#include <utility>

#include "details.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/errors/suggestion.h"
#include "sdbench/base/numbers/number_text.h"
#include "sdbench/base/text/escape.h"
#include "sdbench/base/text/in_quotes.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/base/types/tags.h"
#include "sdbench/front/compare/figures.h"
#include "sdbench/front/compare/grouping.h"
#include "sdbench/front/compare/shown_value.h"
#include "sdbench/front/record/field_access.h"
#include "sdbench/front/record/record_field.h"
#include "sdbench/front/results/result_table.h"

namespace sdbench {
namespace {

using FieldJson = nlohmann::ordered_json;

/// Keys that identify a place in data. In tables, the head and the first two columns do so.
constexpr std::string_view kPlaceKeys[] = {"row", "machine", "workload", "metric"};

std::vector<std::string> names_of_fields() {
  std::vector<std::string> names = mapped<std::string>(details(), &Detail::name);
  for (const RecordField& field : record_fields()) {
    names.emplace_back(field.name);
  }
  return names;
}

CompareField find_compare_field(std::string_view name) {
  CompareField found;
  found.name = name;
  found.tag = tag_key_of(name, "--fields");
  if (!found.tag.empty()) {
    found.field = field_index("tags");
    return found;
  }
  if (std::ranges::find(kPlaceKeys, name) != std::end(kPlaceKeys)) {
    throw UsageError("--fields must name columns besides " +
                     listed({std::begin(kPlaceKeys), std::end(kPlaceKeys)}, "and") +
                     ", which are always there, but names " + found.name);
  }
  if (find_detail(name) != nullptr) {
    return found;
  }
  found.field = find_field(name);
  if (!found.field) {
    const std::vector<std::string> names = names_of_fields();
    throw UsageError("--fields must name columns of compare (docs/comparing.md lists them), fields "
                     "of a record or tag:KEY, but one is " +
                     in_quotes(name) + did_you_mean(name, names));
  }
  found.metric = metric_of(*found.field);
  return found;
}

/// The rows of a place: those with its figure, else those without the figure, else the failed ones.
std::vector<std::size_t> rows_of(const Pool& pool) {
  std::vector<std::size_t> rows = pool.rows;
  if (rows.empty()) {
    rows = pool.silent.empty() ? pool.failed : pool.silent;
  }
  return rows;
}

/// The pooled figure of a metric, in its own unit. Of failed rows only memory and power: nothing
/// else was measured to the end.
std::optional<double> metric_figure(const Metric& metric, const ResultTable& table,
                                    const Pool& pool) {
  const bool is_of_all = metric.unit == "bytes" || metric.unit == "W";
  std::vector<std::size_t> rows = rows_of(pool);
  std::erase_if(rows, [&](std::size_t row) {
    return outcome_of(table, row) != "ok" &&
           (!is_of_all || table.text(row, "status") != outcome_of(table, row));
  });
  const auto figure = pooled_by(metric, table, rows, pool.over);
  return figure ? std::optional(metric.averaged_scale(figure->mean)) : std::nullopt;
}

bool is_text(const CompareField& field) {
  return !field.tag.empty() || type_name(record_fields()[*field.field]) == "text";
}

/// The distinct values of the rows, in the order of the rows; numbers in ascending order.
std::vector<std::string> said(const CompareField& field, const ResultTable& table, const Pool& pool,
                              std::string (*value_of)(const ResultTable&, std::size_t row,
                                                      FieldName field)) {
  std::vector<std::string> values;
  std::set<std::string> known;
  for (const std::size_t row : rows_of(pool)) {
    std::string value = value_of(table, row, FieldName::at(*field.field));
    value = field.tag.empty() ? std::move(value) : tag_value(value, field.tag);
    if (!value.empty() && known.insert(value).second) {
      values.push_back(std::move(value));
    }
  }
  if (!is_text(field)) {
    std::ranges::stable_sort(
        values, {}, [](const std::string& value) { return parse_number(value).value_or(0); });
  }
  return values;
}

std::string plain_value(const ResultTable& table, std::size_t row, FieldName field) {
  return table.value_text(row, field);
}

FieldJson json_value(const CompareField& field, const std::string& value) {
  if (is_text(field)) {
    return escape_text(value);
  }
  if (const auto whole = parse_integer(value)) {
    return *whole;
  }
  if (const auto large = parse_unsigned(value)) {
    return *large;
  }
  const auto number = parse_number(value);
  return number ? FieldJson(*number) : FieldJson();
}

/// A number for people: an integer in full, others to four digits.
std::string number_words(const std::string& value) {
  constexpr int kDigits = 4;
  const auto number = parse_number(value);
  return parse_integer(value) || parse_unsigned(value) || !number
             ? value
             : significant_text(*number, kDigits);
}

} // namespace

std::vector<CompareField> find_compare_fields(std::string_view names) {
  std::vector<CompareField> fields;
  for (const std::string_view name : split(names, ',')) {
    if (std::ranges::find(fields, name, &CompareField::name) != fields.end()) {
      throw UsageError("--fields must name each column once, but names " + std::string(name) +
                       " twice");
    }
    fields.push_back(find_compare_field(name));
  }
  return fields;
}

ViewColumn column_of(const CompareField& field) {
  return {field.metric ? std::string(field.metric->head) : field.name, !is_text(field), 0};
}

std::string text_of(const CompareField& field, const ResultTable& table, const Pool& pool) {
  if (field.metric) {
    const auto figure = metric_figure(*field.metric, table, pool);
    return figure ? field.metric->text_in_column(*figure, 1) : "";
  }
  const std::vector<std::string> values = said(field, table, pool, titled_value);
  if (is_text(field)) {
    constexpr std::size_t kMostTexts = 3;
    const std::size_t shown = values.size() <= kMostTexts ? values.size() : kMostTexts - 1;
    const std::string more =
        shown < values.size() ? "; " + std::to_string(values.size() - shown) + " more" : "";
    return joined({values.begin(), values.begin() + static_cast<std::ptrdiff_t>(shown)}, "; ") +
           more;
  }
  if (values.empty()) {
    return "";
  }
  const std::string least = number_words(values.front());
  const std::string most = number_words(values.back());
  return least == most ? least : least + " to " + most;
}

nlohmann::ordered_json json_of(const CompareField& field, const ResultTable& table,
                               const Pool& pool) {
  if (field.metric) {
    const auto figure = metric_figure(*field.metric, table, pool);
    return figure ? FieldJson(*figure) : FieldJson();
  }
  const std::vector<std::string> values = said(field, table, pool, plain_value);
  if (values.size() == 1) {
    return json_value(field, values.front());
  }
  return values.empty() ? FieldJson() : FieldJson(mapped(values, [&](const std::string& value) {
    return json_value(field, value);
  }));
}

void keep_fields(nlohmann::ordered_json& comparison, const std::vector<CompareField>& fields) {
  std::vector<std::string> keys(std::begin(kPlaceKeys), std::end(kPlaceKeys));
  for (const CompareField& field : fields) {
    const Detail* detail = field.field ? nullptr : find_detail(field.name);
    if (detail == nullptr) {
      keys.push_back(field.name);
    } else {
      keys.insert(keys.end(), detail->keys.begin(), detail->keys.end());
    }
  }
  for (FieldJson& place : comparison.at("places")) {
    FieldJson kept;
    for (const std::string& key : keys) {
      kept[key] = place.at(key);
    }
    place = std::move(kept);
  }
}

} // namespace sdbench
