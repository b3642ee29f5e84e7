#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "sdbench/base/record/record_fields.h"
#include "sdbench/front/results/result_table.h"

namespace sdbench {

/// The first of the rows that says the field, else the first: rows of one pool say the same of it
/// or nothing, so their order decides no name and no setting. There must be one.
[[nodiscard]] std::size_t row_that_says(const ResultTable& table, std::span<const std::size_t> rows,
                                        std::size_t field);

/// A field's value as people read it: of an engine its title, of others what the row says.
[[nodiscard]] std::string titled_value(const ResultTable& table, std::size_t row,
                                       std::size_t field);

/// The same as names and notes of a comparison have it: of weights their kind alone.
[[nodiscard]] std::string shown_value(const ResultTable& table, std::size_t row, FieldName field);

} // namespace sdbench
