#pragma once

#include <string>

#include "sdbench/front/compare/comparison.h"
#include "sdbench/front/results/result_table.h"

namespace sdbench {

/// Where a column is ranked by images/min and UNet it/s ranks two of its rows the other way round:
/// one line that names them and the stage that does it, for the first such two. Else empty.
[[nodiscard]] std::string rank_remark(const Comparison& comparison, const ResultTable& table,
                                      const ComparedColumn& column);

} // namespace sdbench
