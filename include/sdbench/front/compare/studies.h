#pragma once

#include <span>
#include <vector>

#include "sdbench/front/compare/comparison.h"

namespace sdbench {

/// Rows of a table's places, and rows of `sdbench quality` (pictures' figures, no times) that stand
/// beside them.
struct SortedRows {
  std::vector<std::size_t> placed;
  std::vector<std::size_t> studies;
};

/// Sets the studies' rows apart, so that they are no places of their own in a table of speed. Where
/// the metric is one of quality, or there is nothing else, they alone are the table's rows.
[[nodiscard]] SortedRows set_studies_apart(const ResultTable& table,
                                           std::span<const std::size_t> rows, const Metric& metric);

/// Puts each study's row beside the places of the same configuration: model, weights, picture and
/// arithmetic on the same kind of device. Prompts, seeds, batch, threads and host may be others,
/// because they change no picture's quality. Fills Pool::studies and Comparison::lone_studies.
void add_studies(Comparison& comparison, const ResultTable& table,
                 std::span<const std::size_t> studies);

} // namespace sdbench
