#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "sdbench/front/compare/comparison.h"

namespace sdbench {

/// A pool (a place in the table), and the row that stands for it.
struct ExplainedRow {
  std::size_t pool = 0;
  std::size_t row = 0;
};

/// The two rows to explain, and the other pairs that could have been chosen.
struct ExplainedRows {
  ExplainedRow a;
  ExplainedRow b;
  /// One pair of rows for each further cell that both machines ran.
  std::vector<std::pair<ExplainedRow, ExplainedRow>> others;
  bool by_number = false; ///< the user gave a row's number for `a` or `b`
};

/// The two rows that `a` and `b` name. A name is a row's number in the table, its name, its
/// machine's name, its host or label, or the beginning of its run_id. If the names mean two
/// machines with several rows, prefers the rows of the first cell that both ran with the same
/// settings. If a pool has several rows, one of them stands for it. Throws UsageError if a name
/// fits no row, if a name fits several machines, or if both names fit only the same row.
[[nodiscard]] ExplainedRows explained_rows(const Comparison& comparison, const ResultTable& table,
                                           const std::string& a, const std::string& b);

/// Every field in which two rows differ, for a terminal: first the likely causes of the difference
/// in speed, with reasons, then the other fields, then the measured figures.
[[nodiscard]] std::string explain(const Comparison& comparison, const ResultTable& table,
                                  const ExplainedRows& rows);

} // namespace sdbench
