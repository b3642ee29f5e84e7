#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "sdbench/front/compare/comparison.h"

namespace sdbench {

/// A place of the table, and the row that stands for it.
struct ExplainedRow {
  std::size_t pool = 0;
  std::size_t row = 0;
};

/// The two rows that are explained, and where else they could have been taken from.
struct ExplainedRows {
  ExplainedRow a;
  ExplainedRow b;
  std::vector<std::pair<ExplainedRow, ExplainedRow>> others; ///< of other cells that both have
  bool by_number = false; ///< one of them was named by its number
};

/// A row is named by its number in the table, its name, its machine's name, its host or label, or
/// the beginning of its run_id. Of two machines with several rows those are taken that did the same
/// work in the same way, of the first such cell. Of a place with several rows one stands for all.
/// Throws UsageError for a name that fits nothing or several machines.
[[nodiscard]] ExplainedRows explained_rows(const Comparison& comparison, const ResultTable& table,
                                           const std::string& a, const std::string& b);

/// Every field in which two rows differ, for a terminal: what most likely explains the difference
/// in speed first, with the reason, then the rest, then the figures that came of it.
[[nodiscard]] std::string explain(const Comparison& comparison, const ResultTable& table,
                                  const ExplainedRows& rows);

} // namespace sdbench
