#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sdbench/base/files/json_io.h"
#include "sdbench/front/compare/comparison.h"
#include "sdbench/front/compare/metric.h"
#include "sdbench/front/words/view_table.h"

namespace sdbench {

/// A column that --fields names. A column of compare's own (details.h) has neither field nor tag.
struct CompareField {
  std::string name;                 ///< as asked for; the key unless the column is compare's own
  std::optional<std::size_t> field; ///< of the record; "tags" for a tag
  std::string tag;                  ///< the key of tag:KEY; else empty
  std::optional<Metric> metric;     ///< if rows can be compared by the field
};

/// Parses names separated by commas: compare's own columns, fields of the record, tag:KEY. Throws
/// UsageError for an unknown or repeated name, and for a column that every table has.
[[nodiscard]] std::vector<CompareField> find_compare_fields(std::string_view names);

/// The column of a field that is not compare's own, and its text for one place. The text is a
/// figure as --metric pools it, or the value that all rows share, or "LOW to HIGH" for numbers, or
/// texts joined by "; ".
[[nodiscard]] ViewColumn column_of(const CompareField& field);
[[nodiscard]] std::string text_of(const CompareField& field, const ResultTable& table,
                                  const Pool& pool);
/// The same as data, in SI units: null if no row has it, a list if rows differ.
[[nodiscard]] nlohmann::ordered_json json_of(const CompareField& field, const ResultTable& table,
                                             const Pool& pool);

/// Reduces each place of to_json() to what identifies it, followed by the fields in their order.
void keep_fields(nlohmann::ordered_json& comparison, const std::vector<CompareField>& fields);

} // namespace sdbench
