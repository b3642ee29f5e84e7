#pragma once

#include <string>

#include "sdbench/front/results/result_table.h"

namespace sdbench {

/// The rows as an HTML table, for browsers without scripts. Columns for card, work and speed come
/// first. Rows with the same work are together, the fastest first. Empty columns are left out. If
/// there are very many rows, only the first are shown, and a note says so.
[[nodiscard]] std::string static_rows(const ResultTable& table);

} // namespace sdbench
