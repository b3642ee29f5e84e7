#include "sdbench/front/compare/explain.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "sdbench/base/core/error.h"
#include "sdbench/base/core/escape.h"
#include "sdbench/base/core/in_quotes.h"
#include "sdbench/base/core/listed.h"
#include "sdbench/base/core/number_text.h"
#include "sdbench/base/core/terminal_text.h"
#include "sdbench/base/device/gpu_names.h"
#include "sdbench/base/record/field_name.h"
#include "sdbench/base/record/old_words.h"
#include "sdbench/base/record/record_field.h"
#include "sdbench/base/record/record_fields.h"
#include "sdbench/front/compare/answer.h"
#include "sdbench/front/compare/likely_causes.h"
#include "sdbench/front/compare/verdict.h"
#include "sdbench/front/results/result_table.h"

namespace sdbench {
namespace {

constexpr std::size_t kShortestIdPart = 4;

using Chosen = ExplainedRow;

std::vector<Chosen> places_of_line(const Comparison& comparison, std::size_t line) {
  std::vector<Chosen> places;
  for (const ComparedColumn& column : comparison.columns) {
    for (const std::size_t place : column.pools) {
      if (comparison.pools[place].line == line) {
        places.push_back({place, comparison.pools[place].sample_row()});
      }
    }
  }
  return places;
}

std::vector<Chosen> places_of_run(const Comparison& comparison, const ResultTable& table,
                                  const std::string& name) {
  std::vector<Chosen> places;
  for (std::size_t place = 0; place < comparison.pools.size(); ++place) {
    const Pool& pool = comparison.pools[place];
    for (const auto* rows : {&pool.rows, &pool.left_out, &pool.failed, &pool.silent}) {
      for (const std::size_t row : *rows) {
        if (table.text(row, "run_id").starts_with(name)) {
          places.push_back({place, row});
        }
      }
    }
  }
  return places;
}

/// Where a name may mean a line: its number, its name, its host or label, then its device.
std::vector<std::size_t> lines_named(const Comparison& comparison, const ResultTable& table,
                                     const std::string& name) {
  const auto number = parse_integer(name);
  if (number && *number >= 1 && *number <= static_cast<std::int64_t>(comparison.lines.size())) {
    return {static_cast<std::size_t>(*number - 1)};
  }
  std::vector<std::size_t> by_name;
  std::vector<std::size_t> by_place;
  std::vector<std::size_t> by_card;
  const std::string card = short_gpu_name(name);
  for (std::size_t line = 0; line < comparison.lines.size(); ++line) {
    const std::size_t row = comparison.lines[line].row;
    if (is_line_name(comparison.lines[line], name)) {
      by_name.push_back(line);
    }
    if (table.text(row, "host") == name || table.text(row, "label") == name) {
      by_place.push_back(line);
    }
    if (!card.empty() && short_gpu_name(table.text(row, "device_name")) == card) {
      by_card.push_back(line);
    }
  }
  return !by_name.empty() ? by_name : !by_place.empty() ? by_place : by_card;
}

std::vector<Chosen> places_named(const Comparison& comparison, const ResultTable& table,
                                 const std::string& name) {
  const std::vector<std::size_t> lines = lines_named(comparison, table, name);
  if (lines.size() > 1) {
    std::vector<std::string> rows;
    for (const std::size_t line : lines) {
      rows.push_back(std::to_string(line + 1) + " (" + comparison.lines[line].name + ")");
    }
    throw UsageError("--explain must name one row, but " + in_quotes(name) + " fits rows " +
                     listed(rows, "and") + "; take a number or a whole name");
  }
  std::vector<Chosen> places =
      lines.empty() ? std::vector<Chosen>() : places_of_line(comparison, lines.front());
  if (places.empty() && name.size() >= kShortestIdPart) {
    places = places_of_run(comparison, table, name);
  }
  if (places.empty()) {
    throw UsageError("--explain must name two rows by number (1 to " +
                     std::to_string(comparison.lines.size()) +
                     "), name, host, label or run_id, but one is " + in_quotes(name));
  }
  return places;
}

/// Two places of the same column if there are, measured ones first.
std::pair<Chosen, Chosen> comparable(const Comparison& comparison, const std::vector<Chosen>& a,
                                     const std::vector<Chosen>& b) {
  std::pair<Chosen, Chosen> best{a.front(), b.front()};
  int best_worth = -1;
  for (const Chosen& left : a) {
    for (const Chosen& right : b) {
      const Pool& ours = comparison.pools[left.pool];
      const Pool& theirs = comparison.pools[right.pool];
      const int worth =
          (ours.column == theirs.column ? 2 : 0) + (ours.figure && theirs.figure ? 1 : 0);
      if (worth > best_worth) {
        best = {left, right};
        best_worth = worth;
      }
    }
  }
  return best;
}

struct Difference {
  std::size_t field;
  std::string a;
  std::string b;
  std::string_view reason;
};

bool is_figure(const RecordField& field) {
  constexpr std::string_view kUnits[] = {"s",        "it/s", "s/it", "images/min", "1/min",
                                         "images/s", "MP/s", "W",    "TFLOP/s",    "J",
                                         "%",        "degC", "Hz",   "bytes"};
  constexpr std::string_view kPlain[] = {"loss_first", "loss_last", "accuracy"};
  constexpr std::string_view kFacts[] = {"device_memory_bytes", "host_memory_bytes",
                                         "power_limit_w"};
  return std::ranges::find(kPlain, field.name) != std::end(kPlain) ||
         (std::ranges::find(kUnits, field.unit) != std::end(kUnits) &&
          std::ranges::find(kFacts, field.name) == std::end(kFacts));
}

/// The fields in which two rows differ, in three parts.
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
      const bool is_said_twice = field_of_today(facts.name) != facts.name;
      const Difference difference = of(field, {});
      if (difference.a != difference.b && !told.contains(field) && !is_said_twice) {
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
  /// Measured figures with five digits: the others are noise.
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

} // namespace

std::pair<ExplainedRow, ExplainedRow> explained_rows(const Comparison& comparison,
                                                     const ResultTable& table, const std::string& a,
                                                     const std::string& b) {
  return comparable(comparison, places_named(comparison, table, a),
                    places_named(comparison, table, b));
}

std::string explain(const Comparison& comparison, const ResultTable& table,
                    const std::pair<ExplainedRow, ExplainedRow>& rows) {
  const auto& [left, right] = rows;
  std::string text =
      row_words(comparison, table, left, "A") + row_words(comparison, table, right, "B") +
      standing(comparison, comparison.pools[left.pool], comparison.pools[right.pool]);
  const Differences differences(table, left.row, right.row);
  text += part_text("Likely causes, the likeliest first (A, B, why)", differences.causes);
  if (differences.causes.empty()) {
    text += "\nNo field that usually changes speed differs.\n";
  }
  text += part_text("Other differences", differences.rest);
  text += part_text("What came of it", differences.figures);
  return text;
}

} // namespace sdbench
