#pragma once

#include <span>
#include <vector>

#include "sdbench/front/compare/comparison.h"

namespace sdbench {

/// `placed`: the rows that make the places (pools) of a table. `studies`: rows of `sdbench quality`
/// (figures of images, no times), which are shown beside those places.
struct SortedRows {
  std::vector<std::size_t> placed;
  std::vector<std::size_t> studies;
};

/// Separates the rows of `sdbench quality`, so that they make no places in a table of speeds. If
/// the metric is about quality, or there are no other rows, only rows of `sdbench quality` are
/// placed.
[[nodiscard]] SortedRows set_studies_apart(const ResultTable& table,
                                           std::span<const std::size_t> rows, const Metric& metric);

/// Puts each study's row beside the places of the same configuration: the same model, weights,
/// image settings (such as size and steps), arithmetic (such as dtypes) and device name.
/// Prompts, seeds, batch, threads and host may differ, because they do not change quality. Fills
/// Pool::studies and Comparison::lone_studies.
void add_studies(Comparison& comparison, const ResultTable& table,
                 std::span<const std::size_t> studies);

} // namespace sdbench
