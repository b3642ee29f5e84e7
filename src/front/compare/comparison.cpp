#include "sdbench/front/compare/comparison.h"

#include <set>

#include "notes.h"
#include "sdbench/base/device/gpu_names.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/front/compare/baseline.h"
#include "sdbench/front/compare/break_even.h"
#include "sdbench/front/compare/figures.h"
#include "sdbench/front/compare/grouping.h"
#include "sdbench/front/compare/studies.h"
#include "table_words.h"

namespace sdbench {
namespace {

/// The baseline's name in a table that may be shared. If the user named its device, that name
/// stays, because names of cards are public. Otherwise it is the baseline's line number or, for
/// several lines, the name of their common machine, else their numbers.
std::string public_baseline(const Comparison& comparison, const ResultTable& table) {
  const std::string device = short_gpu_name(comparison.baseline);
  bool is_device = !device.empty();
  std::vector<std::string> numbers;
  std::set<std::string> machines;
  for (std::size_t line = 0; line < comparison.lines.size(); ++line) {
    const ComparedLine& named = comparison.lines[line];
    if (named.is_baseline) {
      numbers.push_back(std::to_string(line + 1));
      machines.insert(named.machine);
      is_device = is_device && short_gpu_name(table.text(named.row, "device_name")) == device;
    }
  }
  return is_device                                        ? comparison.baseline
         : numbers.size() == 1                            ? numbers.front()
         : machines.size() == 1 && !machines.contains("") ? *machines.begin()
                                                          : "rows " + listed(numbers, "and");
}

} // namespace

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
    comparison.baseline = public_baseline(comparison, table);
  }
  comparison.notes.clear();
  for (Pool& pool : comparison.pools) {
    pool.notes.clear();
  }
  add_notes(comparison, table);
}

} // namespace sdbench
