#include "sdbench/front/compare/explain.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <string_view>

#include "sdbench/base/executor/measured_figure_table.h"
#include "sdbench/base/numbers/number_text.h"
#include "sdbench/base/text/escape.h"
#include "sdbench/base/text/in_quotes.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/front/compare/answer.h"
#include "sdbench/front/compare/grouping.h"
#include "sdbench/front/compare/likely_causes.h"
#include "sdbench/front/compare/machine_words.h"
#include "sdbench/front/compare/verdict.h"
#include "sdbench/front/record/field_access.h"
#include "sdbench/front/record/field_name.h"
#include "sdbench/front/record/field_unit_table.h"
#include "sdbench/front/record/record_field.h"
#include "sdbench/front/results/result_table.h"
#include "sdbench/front/words/terminal_text.h"

namespace sdbench {
namespace {

using Chosen = ExplainedRow;

struct Difference {
  std::size_t field;
  std::string a;
  std::string b;
  std::string_view reason;
};

bool is_figure(const RecordField& field) {
  constexpr std::string_view kFacts[] = {"device_memory_bytes", "host_memory_bytes",
                                         "power_limit_w"};
  const MeasuredFigure* const measured = find_measured(field.name);
  return (measured != nullptr && is_figure(*measured)) ||
         (field_unit(field.unit).is_figure &&
          std::ranges::find(kFacts, field.name) == std::end(kFacts));
}

/// The fields in which two rows differ: likely causes, measured figures, and the rest.
class Differences {
public:
  Differences(const ResultTable& table, std::size_t a, std::size_t b)
      : table_(table), a_(a), b_(b) {
    std::set<std::size_t> told;
    for (const LikelyCause& cause : likely_causes()) {
      const std::size_t field = field_index(cause.field);
      const Difference difference = of(field, cause.reason);
      if (difference.a != difference.b && is_large(field, cause.least_difference)) {
        causes.push_back(cause.least_difference > 0 ? rounded(difference) : difference);
        told.insert(field);
      }
    }
    for (std::size_t field = 0; field < record_fields().size(); ++field) {
      const RecordField& facts = record_fields()[field];
      const Difference difference = of(field, {});
      if (difference.a != difference.b && !told.contains(field)) {
        const bool measured = is_figure(facts);
        (measured ? figures : rest).push_back(measured ? rounded(difference) : difference);
      }
    }
  }

  std::vector<Difference> causes;
  std::vector<Difference> rest;
  std::vector<Difference> figures;

private:
  [[nodiscard]] Difference of(std::size_t field, std::string_view reason) const {
    const auto text = [&](std::size_t row) {
      return compared_text(FieldName::at(field), table_.value_text(row, field));
    };
    return {field, text(a_), text(b_), reason};
  }
  /// Rounds measured figures to five digits, because further ones are noise.
  [[nodiscard]] Difference rounded(Difference difference) const {
    constexpr int kDigits = 5;
    const auto round = [&](std::size_t row, std::string& text) {
      const auto value = table_.number(row, difference.field);
      if (value && *value != std::floor(*value)) {
        text = significant_text(*value, kDigits);
      }
    };
    round(a_, difference.a);
    round(b_, difference.b);
    return difference;
  }
  [[nodiscard]] bool is_large(std::size_t field, double least) const {
    if (least == 0) {
      return true;
    }
    const auto a = table_.number(a_, field);
    const auto b = table_.number(b_, field);
    return a && b && std::abs(*a - *b) > least * std::max(std::abs(*a), std::abs(*b));
  }

  const ResultTable& table_;
  std::size_t a_;
  std::size_t b_;
};

std::string shown(const std::string& value) {
  constexpr std::size_t kLongest = 40;
  const std::string line = value.empty() ? "(none)" : one_line(value);
  return line.size() <= kLongest ? line : in_quotes(line.substr(0, kLongest)) + "...";
}

std::string padded(const std::string& text, std::size_t width) {
  const std::size_t used = columns_of(text);
  return text + std::string(width > used ? width - used : 0, ' ') + "  ";
}

std::string part_text(const std::string& title, const std::vector<Difference>& differences) {
  if (differences.empty()) {
    return "";
  }
  std::size_t names = 0;
  std::size_t lefts = 0;
  std::size_t rights = 0;
  for (const Difference& difference : differences) {
    names = std::max(names, record_fields()[difference.field].name.size());
    lefts = std::max(lefts, columns_of(shown(difference.a)));
    rights = std::max(rights, columns_of(shown(difference.b)));
  }
  std::string text = "\n" + title + "\n";
  for (const Difference& difference : differences) {
    std::string line = "  " + padded(std::string(record_fields()[difference.field].name), names) +
                       padded(shown(difference.a), lefts) + padded(shown(difference.b), rights) +
                       std::string(difference.reason);
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

std::string row_words(const Comparison& comparison, const ResultTable& table, const Chosen& chosen,
                      std::string_view letter) {
  const Pool& pool = comparison.pools[chosen.pool];
  const ResultOrigin& origin = table.origin(chosen.row);
  std::string words = std::string(letter) + "  " + one_line(comparison.lines[pool.line].name) +
                      ": " + one_line(comparison.columns[pool.column].name) + ", run " +
                      one_line(table.text(chosen.row, "run_id"));
  if (origin.file < table.files().size()) {
    words += " (" + one_line(table.files()[origin.file].string()) + ")";
  }
  if (pool.rows.size() > 1) {
    words += ", one of " + std::to_string(pool.rows.size()) + " rows";
  }
  return words + "\n";
}

std::string standing(const Comparison& comparison, const Pool& a, const Pool& b) {
  if (a.column != b.column) {
    return "They are not the same work: no speed is compared.\n";
  }
  return a.figure && b.figure ? one_line(pair_words(comparison, a, b)) + "\n" : "";
}

/// What probes tell of the devices of two rows.
std::string probes_text(const ResultTable& table, std::size_t a, std::size_t b) {
  const auto rates = [&](std::size_t row) {
    return ProbedRates{std::string(table.text(row, "device_name")) + " " +
                           std::string(table.text(row, "cpu_share")),
                       std::string(table.text(row, "probe_format")),
                       table.number(row, "probe_product_tflops"),
                       table.number(row, "probe_copy_gb_s")};
  };
  std::string words = machine_words(rates(a), rates(b), "A", "B");
  if (words.empty()) {
    return "";
  }
  words.front() = 'B'; // "By their probes" begins a sentence here
  return "\n" + words + ".\n";
}

/// A filter such as "--filter batch=4" that selects a different cell of both. Empty if no field of
/// the work or of the way tells the two cells apart.
std::string filter_for(const ResultTable& table, const Chosen& chosen,
                       const std::pair<Chosen, Chosen>& other) {
  std::vector<FieldName> fields(work_fields().begin(), work_fields().end());
  fields.push_back(FieldName("engine"));
  std::ranges::copy(way_fields(), std::back_inserter(fields));
  for (const FieldName field : fields) {
    const std::string value = table.value_text(other.first.row, field);
    if (!field.text().ends_with("_id") && !value.empty() &&
        value == table.value_text(other.second.row, field) &&
        value != table.value_text(chosen.row, field)) {
      return "--filter " + shell_word(std::string(field.text()) + "=" + value);
    }
  }
  return "";
}

/// Tells which other cells both have, and how to choose one of them.
std::string others_words(const ResultTable& table, const ExplainedRows& rows) {
  constexpr std::size_t kMostFilters = 3;
  std::vector<std::string> filters;
  for (const auto& other : rows.others) {
    const std::string filter = filter_for(table, rows.a, other);
    if (!filter.empty() && filters.size() < kMostFilters &&
        std::ranges::find(filters, filter) == filters.end()) {
      filters.push_back(filter);
    }
  }
  if (rows.others.empty()) {
    return "";
  }
  std::string words =
      "This is the first of " + std::to_string(rows.others.size() + 1) + " cells that both have";
  if (!filters.empty()) {
    words += "; " + one_line(listed(filters)) + " takes another";
    words += rows.by_number ? " (rows have other numbers then)" : "";
  }
  return words + ".\n";
}

} // namespace

std::string explain(const Comparison& comparison, const ResultTable& table,
                    const ExplainedRows& rows) {
  const Chosen& left = rows.a;
  const Chosen& right = rows.b;
  std::string text =
      row_words(comparison, table, left, "A") + row_words(comparison, table, right, "B") +
      standing(comparison, comparison.pools[left.pool], comparison.pools[right.pool]) +
      others_words(table, rows);
  const Differences differences(table, left.row, right.row);
  text += part_text("Likely causes, the likeliest first (A, B, why)", differences.causes);
  if (differences.causes.empty()) {
    text += "\nNo field that usually changes speed differs.\n";
  }
  text += probes_text(table, left.row, right.row);
  text += part_text("Other differences", differences.rest);
  text += part_text("What came of it", differences.figures);
  return text;
}

} // namespace sdbench
