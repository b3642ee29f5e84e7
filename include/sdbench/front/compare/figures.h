#pragma once

#include <optional>
#include <span>

#include "sdbench/front/compare/comparison.h"

namespace sdbench {

/// The pooled figure of rows by a metric. Ignores rows without it; nullopt if no row has it.
[[nodiscard]] std::optional<PooledFigure> pooled_by(const Metric& metric, const ResultTable& table,
                                                    std::span<const std::size_t> rows);

/// Fills each pool's figures: the metric and the additional ones.
void fill_figures(Comparison& comparison, const ResultTable& table);

/// Sorts each column's pools with the best first, columns by their work, and lines by the first
/// column in which they appear.
void rank(Comparison& comparison, const ResultTable& table);

} // namespace sdbench
