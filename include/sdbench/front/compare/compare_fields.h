#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sdbench/base/core/json_io.h"
#include "sdbench/front/compare/comparison.h"
#include "sdbench/front/compare/metric.h"
#include "sdbench/front/words/view_table.h"

namespace sdbench {

/// A column that --fields names. One of compare's own (details.h) has neither a field nor a tag.
struct CompareField {
  std::string name;                 ///< as it was asked for: of what is not compare's own, the key
  std::optional<std::size_t> field; ///< of the record; of a tag "tags"
  std::string tag;                  ///< the key of tag:KEY; else empty
  std::optional<Metric> metric;     ///< of a field by which rows could be compared, too
};

/// By names with commas between: those of compare's own columns, fields of the record, tag:KEY.
/// Throws UsageError for an unknown one, one that comes again, and what each table has anyway.
[[nodiscard]] std::vector<CompareField> find_compare_fields(std::string_view names);

/// The column of a field that is not compare's own, and its text of one place: a figure as --metric
/// would pool it, else the value that all rows share, "LOW to HIGH" of numbers, or texts with "; "
/// between.
[[nodiscard]] ViewColumn column_of(const CompareField& field);
[[nodiscard]] std::string text_of(const CompareField& field, const ResultTable& table,
                                  const Pool& pool);
/// The same as data, in SI units: null where no row says it, a list where they differ.
[[nodiscard]] nlohmann::ordered_json json_of(const CompareField& field, const ResultTable& table,
                                             const Pool& pool);

/// Leaves in each place of to_json() what says which it is, and then the fields in their order.
void keep_fields(nlohmann::ordered_json& comparison, const std::vector<CompareField>& fields);

} // namespace sdbench
