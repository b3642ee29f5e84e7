#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sdbench/front/results/result_table.h"

namespace sdbench {

/// One --filter: "FIELD=VALUE" or "FIELD!=VALUE".
struct RowFilter {
  std::size_t field = 0;
  std::string tag = {}; ///< "cooler" in "tag:cooler=air"; empty: tests the whole field
  bool is_negated = false;
  std::string value; ///< may hold the wildcards * and ?; numbers compare by value
};

/// Throws UsageError if the text has a different form or names an unknown field.
[[nodiscard]] RowFilter parse_filter(std::string_view text);

/// The rows that pass all filters. Several values for one field are alternatives: "model=sd15" and
/// "model=sdxl" keep both.
[[nodiscard]] std::vector<std::size_t> filtered_rows(const ResultTable& table,
                                                     std::span<const RowFilter> filters);

/// Names the first filter that leaves no row. Also lists the values of its field in the rows that
/// the earlier filters leave. Call it only if no row passes all filters.
[[nodiscard]] std::string why_none_is_left(const ResultTable& table,
                                           std::span<const RowFilter> filters);

} // namespace sdbench
