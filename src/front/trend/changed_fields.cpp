#include "changed_fields.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "sdbench/base/numbers/number_text.h"
#include "sdbench/base/numbers/statistics.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/base/types/tags.h"
#include "sdbench/front/compare/grouping.h"
#include "sdbench/front/compare/likely_causes.h"
#include "sdbench/front/record/field_name.h"

namespace sdbench {
namespace {

std::optional<double> median_number(const ResultTable& table, std::span<const std::size_t> rows,
                                    FieldName field) {
  return median(mapped_known(rows, [&](std::size_t row) { return table.number(row, field); }));
}

bool all_tell(const ResultTable& table, std::span<const std::size_t> rows, FieldName field) {
  return std::ranges::all_of(rows,
                             [&](std::size_t row) { return table.number(row, field).has_value(); });
}

/// The change of a sensor's figure. It varies a little between rows, so medians are compared.
std::optional<FieldChange> changed_number(const ResultTable& table,
                                          std::span<const std::size_t> before,
                                          std::span<const std::size_t> after,
                                          const LikelyCause& cause) {
  const auto a = median_number(table, before, cause.field);
  const auto b = median_number(table, after, cause.field);
  const bool differs =
      a && b ? std::abs(*a - *b) > cause.least_difference * std::max(std::abs(*a), std::abs(*b))
             : (a || b) && all_tell(table, a ? before : after, cause.field);
  const auto text = [](const std::optional<double>& value) {
    return value ? significant_text(*value) : "";
  };
  return differs ? std::optional(FieldChange{cause.field, text(a), text(b)}) : std::nullopt;
}

/// Keys of tags with one value in all rows after, which no row before has. A tag that changes every
/// night explains nothing.
std::vector<std::string> lasting_tags(const ResultTable& table, std::span<const std::size_t> before,
                                      std::span<const std::size_t> after) {
  std::vector<std::string> keys;
  for (const auto& rows : {before, after}) {
    for (const std::size_t row : rows) {
      std::ranges::move(tag_keys(table.text(row, "tags")), std::back_inserter(keys));
    }
  }
  std::erase_if(keys, [&](const std::string& key) {
    const auto value = [&](std::size_t row) { return tag_value(table.text(row, "tags"), key); };
    const auto is_last = [&, last = value(after.front())](std::size_t row) {
      return value(row) == last;
    };
    return std::ranges::any_of(before, is_last) || !std::ranges::all_of(after, is_last);
  });
  return keys;
}

std::optional<FieldChange> changed_text(const ResultTable& table,
                                        std::span<const std::size_t> before,
                                        std::span<const std::size_t> after, FieldName field) {
  const bool is_of_tags = field == FieldName("tags");
  const std::vector<std::string> keys =
      is_of_tags ? lasting_tags(table, before, after) : std::vector<std::string>();
  const auto text = [&](std::size_t row) {
    return is_of_tags ? tags_of(table.text(row, field), keys)
                      : compared_text(field, table.value_text(row, field));
  };
  std::set<std::string> known;
  for (const std::size_t row : before) {
    known.insert(text(row));
  }
  const bool is_new =
      std::ranges::none_of(after, [&](std::size_t row) { return known.contains(text(row)); });
  return is_new ? std::optional(FieldChange{field, text(before.back()), text(after.front())})
                : std::nullopt;
}

/// Fields of software and machine that are no likely cause.
std::vector<FieldName> unlikely_causes() {
  std::vector<FieldName> fields(telling_fields().begin(), telling_fields().end());
  for (std::size_t place = FieldName("device_uuid").place();
       place < FieldName("telemetry_samples").place(); ++place) {
    fields.push_back(FieldName::at(place));
  }
  std::set<std::size_t> known;
  for (const LikelyCause& cause : likely_causes()) {
    known.insert(cause.field.place());
  }
  std::erase_if(fields, [&](FieldName field) { return !known.insert(field.place()).second; });
  return fields;
}

} // namespace

std::vector<FieldChange> changed_fields(const ResultTable& table,
                                        std::span<const std::size_t> before,
                                        std::span<const std::size_t> after) {
  std::vector<FieldChange> changes;
  if (before.empty() || after.empty()) {
    return changes;
  }
  for (const LikelyCause& cause : likely_causes()) {
    auto change = cause.least_difference > 0 ? changed_number(table, before, after, cause)
                                             : changed_text(table, before, after, cause.field);
    if (change) {
      changes.push_back(std::move(*change));
    }
  }
  for (const FieldName field : unlikely_causes()) {
    const std::string value = table.value_text(after.front(), field);
    const bool lasts = std::ranges::all_of(
        after, [&](std::size_t row) { return table.value_text(row, field) == value; });
    if (auto change = lasts ? changed_text(table, before, after, field) : std::nullopt) {
      changes.push_back(std::move(*change));
    }
  }
  return changes;
}

} // namespace sdbench
