#pragma once

#include <cstddef>
#include <string>
#include <utility>

#include "sdbench/front/compare/comparison.h"

namespace sdbench {

/// A place of the table, and the row that stands for it.
struct ExplainedRow {
  std::size_t pool = 0;
  std::size_t row = 0;
};

/// A row is named by its number in the table, its name, host or label, or the beginning of its
/// run_id. Of a place with several rows one stands for all. Throws UsageError for a name that fits
/// none or several.
[[nodiscard]] std::pair<ExplainedRow, ExplainedRow> explained_rows(const Comparison& comparison,
                                                                   const ResultTable& table,
                                                                   const std::string& a,
                                                                   const std::string& b);

/// Every field in which two rows differ, for a terminal: what most likely explains the difference
/// in speed first, with the reason, then the rest, then the figures that came of it.
[[nodiscard]] std::string explain(const Comparison& comparison, const ResultTable& table,
                                  const std::pair<ExplainedRow, ExplainedRow>& rows);

} // namespace sdbench
