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

/// A column that --fields names: a field of the record, a tag, or a column of compare's own
/// (details.h). A column of compare's own has neither `field` nor `tag`.
struct CompareField {
  std::string name; ///< as typed; also the JSON key, unless the column is compare's own
  std::optional<std::size_t> field; ///< index in record_fields(); for a tag, the index of "tags"
  std::string tag;                  ///< the key of tag:KEY; else empty
  std::optional<Metric> metric;     ///< set if rows can be compared by the field
};

/// Parses names separated by commas: compare's own columns, fields of the record, tag:KEY. Throws
/// UsageError for an unknown or repeated name, and for a column that every table has.
[[nodiscard]] std::vector<CompareField> find_compare_fields(std::string_view names);

/// column_of() makes the column of a field that is not compare's own; text_of() gives the column's
/// text for one pool. For a field that can be a metric, the text is the pooled figure. For other
/// fields, it is the value that all rows share. If rows differ, it is "LOW to HIGH" for numbers,
/// else the first texts, joined by "; ".
[[nodiscard]] ViewColumn column_of(const CompareField& field);
[[nodiscard]] std::string text_of(const CompareField& field, const ResultTable& table,
                                  const Pool& pool);
/// The value of text_of() as JSON, in SI units: null if no row has the field, a list if rows
/// differ.
[[nodiscard]] nlohmann::ordered_json json_of(const CompareField& field, const ResultTable& table,
                                             const Pool& pool);

/// Removes members from each place (pool) in the output of to_json(). Keeps those that identify the
/// place (row, machine, workload, metric), followed by those of `fields` in their order.
void keep_fields(nlohmann::ordered_json& comparison, const std::vector<CompareField>& fields);

} // namespace sdbench
