#pragma once

#include <optional>
#include <span>

#include "sdbench/front/compare/comparison.h"

namespace sdbench {

/// The figure of a metric, pooled over rows, cards or hosts. Ignores rows that lack the metric;
/// nullopt if all rows lack it.
[[nodiscard]] std::optional<PooledFigure> pooled_by(const Metric& metric, const ResultTable& table,
                                                    std::span<const std::size_t> rows,
                                                    PoolOver over = PoolOver::kRows);

/// Fills each pool's figure of the metric, and its other figures such as images_per_min and
/// peak_bytes.
void fill_figures(Comparison& comparison, const ResultTable& table);

/// Sorts each column's pools with the best first, columns by their work, and lines by the first
/// column in which they appear.
void rank(Comparison& comparison, const ResultTable& table);

} // namespace sdbench
