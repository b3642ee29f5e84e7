#include "sdbench/front/compare/comparison.h"

#include "notes.h"
#include "sdbench/front/compare/baseline.h"
#include "sdbench/front/compare/break_even.h"
#include "sdbench/front/compare/figures.h"
#include "sdbench/front/compare/grouping.h"
#include "sdbench/front/compare/studies.h"
#include "table_words.h"

namespace sdbench {

std::size_t Pool::sample_row() const {
  for (const auto* list : {&rows, &left_out, &silent, &failed}) {
    if (!list->empty()) {
      return list->front();
    }
  }
  return 0;
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

} // namespace sdbench
