#pragma once

#include <span>
#include <vector>

#include "sdbench/front/compare/comparison.h"

namespace sdbench {

/// Rows for the places of a table, and rows of `sdbench quality` (figures of pictures, no times)
/// shown beside them.
struct SortedRows {
  std::vector<std::size_t> placed;
  std::vector<std::size_t> studies;
};

/// Separates the studies' rows, so that they get no places in a table of speed. If the metric is
/// about quality, or there are no other rows, only they are placed.
[[nodiscard]] SortedRows set_studies_apart(const ResultTable& table,
                                           std::span<const std::size_t> rows, const Metric& metric);

/// Puts each study's row beside the places of the same configuration: model, weights, picture and
/// arithmetic on the same kind of device. Prompts, seeds, batch, threads and host may differ,
/// because they do not change quality. Fills Pool::studies and Comparison::lone_studies.
void add_studies(Comparison& comparison, const ResultTable& table,
                 std::span<const std::size_t> studies);

} // namespace sdbench
