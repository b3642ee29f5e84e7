#pragma once

#include <optional>
#include <span>

#include "sdbench/front/compare/comparison.h"

namespace sdbench {

/// The pooled figure of rows by a metric; rows without it are passed over, none gives nullopt.
[[nodiscard]] std::optional<PooledFigure> pooled_by(const Metric& metric, const ResultTable& table,
                                                    std::span<const std::size_t> rows);

/// Fills each pool's figures: the metric, and what stands beside it.
void fill_figures(Comparison& comparison, const ResultTable& table);

/// Sorts each column's pools, the best first, columns by their work, and lines by the first column
/// that they are in.
void rank(Comparison& comparison, const ResultTable& table);

} // namespace sdbench
