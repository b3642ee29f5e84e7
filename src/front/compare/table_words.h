#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sdbench/front/compare/comparison.h"
#include "sdbench/front/record/record_fields.h"

namespace sdbench {

/// Names columns by their work: model, size, steps, batch, and of guidance, scheduler, spacing and
/// id only what tells two apart; then the values of `fields`.
void name_columns(Comparison& comparison, const ResultTable& table,
                  const std::vector<std::size_t>& fields);

/// Names lines by their device, or by the values of the row fields, and then by what tells those
/// apart that share it: the host, number formats, engine, versions, weights, the file. Only by what
/// all rows of a line share, so not by what makes the columns. Sets machines and generations.
void name_lines(Comparison& comparison, const ResultTable& table, const CompareOptions& options);

/// The name of its device, or that it is not known.
[[nodiscard]] std::string device_words(const ResultTable& table, std::size_t row);

/// The basis of the lines' intervals; if it differs, each line's note names its own. Empty without
/// intervals.
[[nodiscard]] std::string interval_remark(const Comparison& comparison);

} // namespace sdbench
