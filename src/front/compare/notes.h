#pragma once

#include <string>

#include "sdbench/front/compare/comparison.h"
#include "sdbench/front/results/result_table.h"

namespace sdbench {

/// Fills Comparison::notes, and marks the pools, with facts that may explain a difference. These
/// are versions, kernels and weights that differ from the baseline's, flags, failures, rows left
/// out, and the basis of an interval if intervals differ in it.
void add_notes(Comparison& comparison, const ResultTable& table);

/// A line for a column that is ranked by images/min, if UNet it/s ranks two of its rows the other
/// way round. Names the first two such rows and the stage that causes it. Otherwise empty.
[[nodiscard]] std::string rank_remark(const Comparison& comparison, const ResultTable& table,
                                      const ComparedColumn& column);

} // namespace sdbench
