#pragma once

#include <string>

#include "sdbench/front/results/result_table.h"

namespace sdbench {

/// The rows as a table in HTML, for a reader whose browser runs no scripts: card, work and speed
/// stand first, each work has its fastest row first. Columns that are empty in all rows are left
/// out; of very many rows the first, which is said.
[[nodiscard]] std::string static_rows(const ResultTable& table);

} // namespace sdbench
