#include "overview.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pool_words.h"
#include "sdbench/base/core/units.h"
#include "sdbench/front/compare/baseline.h"
#include "sdbench/front/compare/card_grid.h"
#include "sdbench/front/compare/grouping.h"
#include "sdbench/front/compare/verdict.h"
#include "sdbench/front/words/percent_words.h"

namespace sdbench {
namespace {

constexpr const char* kOverall = "all";
constexpr const char* kSameMark = " =";
constexpr const char* kUnclearMark = " ?";

std::vector<std::string> parts_of(const std::string& name) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= name.size();) {
    const std::size_t end = std::min(name.find(", ", begin), name.size());
    parts.push_back(name.substr(begin, end - begin));
    begin = end + 2;
  }
  return parts;
}

/// The names of columns, a line for each part, without the parts that all of them have, which go
/// into `common`.
template <typename Named>
std::vector<std::string> short_names(const std::vector<Named>& columns, std::string& common) {
  std::map<std::string, std::size_t> counts;
  for (const Named& column : columns) {
    for (const std::string& part : parts_of(column.name)) {
      ++counts[part];
    }
  }
  std::vector<std::string> names;
  for (const Named& column : columns) {
    std::string name;
    for (const std::string& part : parts_of(column.name)) {
      std::string& target = counts[part] == columns.size() ? common : name;
      if (&target == &name || &column == &columns.front()) {
        target += (target.empty() ? "" : &target == &name ? "\n" : ", ") + part;
      }
    }
    names.push_back(name);
  }
  return names;
}

/// All lines and columns, a figure each.
ViewTable lines_table(const Comparison& comparison, const ResultTable& table) {
  ViewTable view;
  view.narrow = Narrow::kParts;
  view.name_columns = 2;
  view.columns = {{"#", true, 0}, {"machine", false, 0}};
  for (const std::string& name : short_names(comparison.columns, view.title)) {
    view.columns.push_back({name, true, 0});
  }
  for (std::size_t line = 0; line < comparison.lines.size(); ++line) {
    ViewRow row{.cells = {std::to_string(line + 1), comparison.lines[line].name}};
    row.cells.resize(view.columns.size());
    view.rows.push_back(std::move(row));
  }
  for (const Pool& pool : comparison.pools) {
    const std::string relative = relative_text(comparison, pool);
    view.rows[pool.line].cells[2 + pool.column] =
        value_text(comparison, table, pool) + (relative.empty() ? "" : ", " + relative);
  }
  return view;
}

/// "OOM"; of another failure its status.
std::string failure_text(const ResultTable& table, const Pool& pool) {
  if (pool.failed.empty()) {
    return "-";
  }
  const std::string_view outcome = outcome_of(table, pool.failed.front());
  return std::string(outcome.starts_with("oom") ? "OOM" : outcome);
}

/// "711, 0.52x ?"
std::string place_text(const Comparison& comparison, const ResultTable& table,
                       const CardPlace& place) {
  if (!place.pool) {
    return "";
  }
  const Pool& pool = comparison.pools[*place.pool];
  if (!pool.figure) {
    return failure_text(table, pool);
  }
  std::string text = value_text(comparison, table, pool);
  if (place.relative) {
    text += ", " + times_text(place.relative->value);
    if (!place.is_reference) {
      text += place.verdict == Verdict::kSame      ? kSameMark
              : place.verdict == Verdict::kUnclear ? kUnclearMark
                                                   : "";
    }
  }
  return text;
}

/// What the marks in the cells mean, where they are.
std::string marks_remark(const Comparison& comparison, const ViewTable& view) {
  const auto holds = [&](std::string_view mark) {
    return std::ranges::any_of(view.rows, [&](const ViewRow& row) {
      return std::ranges::any_of(row.cells,
                                 [&](const std::string& cell) { return cell.ends_with(mark); });
    });
  };
  const std::string other =
      comparison.baseline == kBestBaseline ? "the best of its column" : "the baseline";
  std::string words;
  if (holds(kSameMark)) {
    words += "=  the same as " + other + " within " + percent_words(comparison.threshold);
  }
  if (holds(kUnclearMark)) {
    words += std::string(words.empty() ? "" : "; ") + "?  unclear beside " + other;
  }
  return words;
}

/// "failed: RTX 3060 in sdxl 1024x1024, 20 steps, batch 1 (OOM)"
std::vector<std::string> failures(const Comparison& comparison, const ResultTable& table,
                                  const CardGrid& grid) {
  std::vector<std::string> lines;
  for (const Card& card : grid.cards) {
    std::string words;
    for (std::size_t cell = 0; cell < grid.cells.size(); ++cell) {
      const CardPlace& place = card.places[cell];
      if (place.pool && !comparison.pools[*place.pool].figure &&
          !comparison.pools[*place.pool].failed.empty()) {
        words += (words.empty() ? " in " : "; ") + grid.cells[cell].name + " (" +
                 failure_text(table, comparison.pools[*place.pool]) + ")";
      }
    }
    if (!words.empty()) {
      lines.push_back("failed: " + card.name + words);
    }
  }
  return lines;
}

/// A row for each card, a column for each cell, and the mean of those that all have.
ViewTable cards_table(const Comparison& comparison, const ResultTable& table,
                      const CardGrid& grid) {
  ViewTable view;
  view.narrow = Narrow::kParts;
  view.columns = {{"machine", false, 0}};
  const bool has_overall = grid.shared_cells > 1;
  if (has_overall) {
    view.columns.push_back({kOverall, true, 0});
  }
  std::string common;
  for (const std::string& name : short_names(grid.cells, common)) {
    view.columns.push_back({name.empty() ? std::string(comparison.metric.head) : name, true, 0});
  }
  view.title = std::string(comparison.metric.head) + (common.empty() ? "" : ": " + common);
  for (const Card& card : grid.cards) {
    ViewRow& row = view.rows.emplace_back();
    row.cells = {card.name};
    if (has_overall) {
      row.cells.push_back(times_text(*card.overall));
    }
    for (const CardPlace& place : card.places) {
      row.cells.push_back(place_text(comparison, table, place));
    }
  }
  if (has_overall) {
    view.legends.push_back(
        {{kOverall},
         "all: the geometric mean over the " + std::to_string(grid.shared_cells) +
             " columns of which every machine has a figure, relative to " +
             (comparison.baseline == kBestBaseline ? "the best machine's" : "the baseline's")});
  }
  if (std::string marks = marks_remark(comparison, view); !marks.empty()) {
    view.remarks.push_back(std::move(marks));
  }
  std::ranges::move(failures(comparison, table, grid), std::back_inserter(view.remarks));
  if (grid.lone_cells > 0) {
    view.remarks.push_back(counted(static_cast<std::int64_t>(grid.lone_cells), "cell") +
                           " that one machine alone has stand in the tables below, not here");
  }
  return view;
}

} // namespace

std::optional<ViewTable> overview(const Comparison& comparison, const ResultTable& table) {
  if (!comparison.has_own_layout) {
    const CardGrid grid = card_grid(comparison, table);
    if (grid.cards.size() > 1 && grid.cells.size() > 1) {
      return cards_table(comparison, table, grid);
    }
  }
  return comparison.columns.size() > 1 ? std::optional(lines_table(comparison, table))
                                       : std::nullopt;
}

} // namespace sdbench
