#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "sdbench/front/record/field_access.h"
#include "sdbench/front/results/result_table.h"

namespace sdbench {

/// The first of `rows` that has a value in the field, else the first row. If several rows of a pool
/// have a value, it is the same value, so their order does not matter. Needs at least one row.
[[nodiscard]] std::size_t row_that_says(const ResultTable& table, std::span<const std::size_t> rows,
                                        FieldName field);

/// A field's value for people: for an engine its title, for other fields the row's value.
[[nodiscard]] std::string titled_value(const ResultTable& table, std::size_t row, FieldName field);

/// A field's value in remarks and footnotes of a comparison: "synthetic weights" or "real weights"
/// for the field `weights`, titled_value() for other fields.
[[nodiscard]] std::string shown_value(const ResultTable& table, std::size_t row, FieldName field);

} // namespace sdbench
