#pragma once

#include <string>

#include "sdbench/front/compare/comparison.h"
#include "sdbench/front/results/result_table.h"

namespace sdbench {

/// A line for a column that is ranked by images/min, if UNet it/s ranks two of its rows the other
/// way round. Names the first two such rows and the stage that causes it. Otherwise empty.
[[nodiscard]] std::string rank_remark(const Comparison& comparison, const ResultTable& table,
                                      const ComparedColumn& column);

} // namespace sdbench
