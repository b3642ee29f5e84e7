#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sdbench/front/compare/comparison.h"

namespace sdbench {

/// Names columns by their work: model, size, steps and batch, then the values of `fields`. Adds
/// guidance, scheduler, spacing and id only where they tell two columns apart.
void name_columns(Comparison& comparison, const ResultTable& table,
                  const std::vector<std::size_t>& fields);

/// Names lines by their device, or by the values of the row fields. Lines that share that get the
/// words that tell them apart: host, dtype, engine, versions, weights, file. Uses only values that
/// all rows of a line share, so none that makes columns. Sets machines and generations.
void name_lines(Comparison& comparison, const ResultTable& table, const CompareOptions& options);

/// The name of the row's device, or "unknown device".
[[nodiscard]] std::string device_words(const ResultTable& table, std::size_t row);

/// The basis of the lines' intervals; if it differs, each line's note names its own. Empty without
/// intervals.
[[nodiscard]] std::string interval_remark(const Comparison& comparison);

} // namespace sdbench
