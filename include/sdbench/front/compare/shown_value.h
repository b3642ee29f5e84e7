#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "sdbench/front/record/record_fields.h"
#include "sdbench/front/results/result_table.h"

namespace sdbench {

/// The first of the rows that has the field, else the first. Rows of a pool have the same value or
/// none, so their order does not matter. Needs at least one row.
[[nodiscard]] std::size_t row_that_says(const ResultTable& table, std::span<const std::size_t> rows,
                                        std::size_t field);

/// A field's value for people: an engine's title, or else the row's value.
[[nodiscard]] std::string titled_value(const ResultTable& table, std::size_t row,
                                       std::size_t field);

/// The same for names and notes of a comparison, with only the kind of weights.
[[nodiscard]] std::string shown_value(const ResultTable& table, std::size_t row, FieldName field);

} // namespace sdbench
