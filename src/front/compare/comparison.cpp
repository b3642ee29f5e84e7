#include "sdbench/front/compare/comparison.h"

#include <string>
#include <vector>

#include "notes.h"
#include "sdbench/base/core/listed.h"
#include "sdbench/front/compare/baseline.h"
#include "sdbench/front/compare/break_even.h"
#include "sdbench/front/compare/figures.h"
#include "sdbench/front/compare/grouping.h"
#include "sdbench/front/compare/studies.h"
#include "table_words.h"

namespace sdbench {

std::span<const std::size_t> Pool::sample_rows() const {
  for (const auto* list : {&rows, &left_out, &silent}) {
    if (!list->empty()) {
      return *list;
    }
  }
  return failed;
}

Comparison compare_rows(const ResultTable& table, std::span<const std::size_t> rows,
                        const CompareOptions& options) {
  const SortedRows sorted = set_studies_apart(table, rows, options.metric);
  const std::vector<bool> base_rows = baseline_rows(table, sorted.placed, options.baseline);
  Comparison comparison = group_rows(table, sorted.placed, options, base_rows);
  add_studies(comparison, table, sorted.studies);
  fill_figures(comparison, table);
  name_columns(comparison, table, options.column_fields);
  rank(comparison, table);
  name_lines(comparison, table, options);
  choose_baselines(comparison, table);
  add_break_even(comparison, table);
  add_notes(comparison, table);
  return comparison;
}

void name_anew(Comparison& comparison, const ResultTable& table, const CompareOptions& options) {
  name_columns(comparison, table, options.column_fields);
  name_lines(comparison, table, options);
  if (comparison.baseline != kBestBaseline) {
    std::vector<std::string> numbers;
    for (std::size_t line = 0; line < comparison.lines.size(); ++line) {
      if (comparison.lines[line].is_baseline) {
        numbers.push_back(std::to_string(line + 1));
      }
    }
    comparison.baseline = numbers.size() == 1 ? numbers.front() : "rows " + listed(numbers, "and");
  }
  comparison.notes.clear();
  for (Pool& pool : comparison.pools) {
    pool.notes.clear();
  }
  add_notes(comparison, table);
}

} // namespace sdbench
