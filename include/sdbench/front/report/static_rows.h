#pragma once

#include <string>

#include "sdbench/front/results/result_table.h"

namespace sdbench {

/// The rows as an HTML table, for browsers without scripts. Columns for card, work and speed come
/// first; within a work, the fastest row comes first. Leaves out empty columns. Shows only the
/// first of very many rows, and says so.
[[nodiscard]] std::string static_rows(const ResultTable& table);

} // namespace sdbench
