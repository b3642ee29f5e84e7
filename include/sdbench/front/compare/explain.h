#pragma once

#include <string>

#include "sdbench/front/compare/comparison.h"

namespace sdbench {

/// Every field in which two rows differ, for a terminal: what most likely explains the difference
/// in speed first, with the reason, then the rest, then the figures that came of it. A row is named
/// by its number in the table, its name, host or label, or the beginning of its run_id. Of a place
/// with several rows one stands for all. Throws UsageError for a name that fits none or several.
[[nodiscard]] std::string explain(const Comparison& comparison, const ResultTable& table,
                                  const std::string& a, const std::string& b);

} // namespace sdbench
