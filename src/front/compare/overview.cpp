#include "overview.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pool_words.h"
#include "sdbench/base/numbers/number_text.h"
#include "sdbench/base/numbers/units.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/front/compare/baseline.h"
#include "sdbench/front/compare/grouping.h"
#include "sdbench/front/compare/verdict.h"

namespace sdbench {
namespace {

constexpr const char* kOverall = "all";
constexpr const char* kSameMark = " =";
constexpr const char* kUnclearMark = " ?";
constexpr const char* kFailedMark = " !";

std::vector<std::string> parts_of(const std::string& name) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= name.size();) {
    const std::size_t end = std::min(name.find(", ", begin), name.size());
    parts.push_back(name.substr(begin, end - begin));
    begin = end + 2;
  }
  return parts;
}

/// The names of columns, with one line per part. Parts that all columns share go into `common`
/// instead.
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

/// "711, 0.52x ? !": a figure, its ratio to the reference, and marks.
std::string place_text(const Comparison& comparison, const ResultTable& table,
                       const CardPlace& place) {
  if (!place.pool) {
    return "";
  }
  const Pool& pool = comparison.pools[*place.pool];
  std::string text = value_text(comparison, table, pool);
  if (!pool.figure) {
    return text;
  }
  if (place.relative) {
    text += ", " + times_text(place.relative->value);
    if (!place.is_reference) {
      text += place.verdict == Verdict::kSame      ? kSameMark
              : place.verdict == Verdict::kUnclear ? kUnclearMark
                                                   : "";
    }
  }
  return text + (pool.failed.empty() ? "" : kFailedMark);
}

/// Adds legends for the marks that cells have.
void add_mark_legends(const Comparison& comparison, ViewTable& view) {
  const auto heads_with = [&](std::string_view mark) {
    std::vector<std::string> heads;
    for (std::size_t column = 0; column < view.columns.size(); ++column) {
      if (view.columns[column].is_number && std::ranges::any_of(view.rows, [&](const ViewRow& row) {
            return row.cells[column].find(mark) != std::string::npos;
          })) {
        heads.push_back(view.columns[column].head);
      }
    }
    return heads;
  };
  const std::string other =
      comparison.baseline == kBestBaseline ? "the best of its column" : "the baseline";
  view.legends.push_back({heads_with(kSameMark), "=  the same as " + other + " within " +
                                                     percent_words(comparison.threshold)});
  view.legends.push_back({heads_with(kUnclearMark), "?  unclear beside " + other});
  view.legends.push_back(
      {heads_with(kFailedMark), "!  something failed (named below), and no figure includes it"});
}

/// "OOM" or, if some rows are good, "crash in 1 of 3 rows". Empty if nothing failed.
std::string failed_words(const ResultTable& table, const Pool& pool) {
  if (pool.failed.empty()) {
    return "";
  }
  const std::string words = outcome_words(table, pool.failed.front());
  return !pool.figure
             ? words
             : words + " in " + std::to_string(pool.failed.size()) + " of " +
                   counted(static_cast<std::int64_t>(pool.failed.size() + pool.rows.size() +
                                                     pool.left_out.size()),
                           "row");
}

/// Adds legends such as "failed: RTX 3060; L4 in sdxl 1024x1024, 20 steps, batch 1 (OOM)" for the
/// rows that failed in a column. A legend is shown if the column `head` or `also` is.
void add_failures(ViewTable& view, const std::string& head, const std::string& also,
                  const std::string& cell,
                  const std::vector<std::pair<std::string, std::string>>& names_by_words) {
  std::map<std::string, std::string> named;
  for (const auto& [words, name] : names_by_words) {
    named[words] += (named[words].empty() ? "" : "; ") + name;
  }
  for (const auto& [words, names] : named) {
    view.legends.push_back({{head, also}, "failed: " + names + " in " + cell + " (" + words + ")"});
  }
}

/// The place of a pool in the table of lines.
CardPlace place_of(const Comparison& comparison, std::size_t number) {
  const Pool& pool = comparison.pools[number];
  CardPlace place;
  place.pool = number;
  place.is_reference = pool.is_baseline;
  place.verdict = pool.verdict;
  if (pool.is_baseline && pool.figure) {
    place.relative = Ratio{};
  } else if (is_judged(comparison, pool)) {
    place.relative = pool.relative;
  }
  return place;
}

/// A table of all lines and columns, with one figure per cell.
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
  for (std::size_t i = 0; i < comparison.pools.size(); ++i) {
    const Pool& pool = comparison.pools[i];
    view.rows[pool.line].cells[2 + pool.column] =
        place_text(comparison, table, place_of(comparison, i));
  }
  add_mark_legends(comparison, view);
  for (std::size_t column = 0; column < comparison.columns.size(); ++column) {
    std::vector<std::pair<std::string, std::string>> failed;
    for (const std::size_t place : comparison.columns[column].pools) {
      const Pool& pool = comparison.pools[place];
      if (std::string words = failed_words(table, pool); pool.figure && !words.empty()) {
        failed.emplace_back(std::move(words), comparison.lines[pool.line].name);
      }
    }
    const std::string& head = view.columns[2 + column].head;
    add_failures(view, head, head, comparison.columns[column].name, failed);
  }
  return view;
}

bool has_failed(const Comparison& comparison, const Card& card) {
  return std::ranges::any_of(card.places, [&](const CardPlace& place) {
    return place.pool && !comparison.pools[*place.pool].figure &&
           !comparison.pools[*place.pool].failed.empty();
  });
}

std::string overall_text(const Comparison& comparison, const Card& card) {
  return (card.overall ? times_text(*card.overall) : "-") +
         (has_failed(comparison, card) ? kFailedMark : "");
}

/// Describes the column of means, and names the machines without a mean.
std::string overall_words(const Comparison& comparison, const CardGrid& grid) {
  const bool is_by_best = comparison.baseline == kBestBaseline;
  if (grid.shared_cells == 0) {
    return std::string("all: no two machines have a figure ") +
           (is_by_best ? "" : "relative to the baseline's ") +
           "in one column, so there is no mean over all";
  }
  const auto lone = mapped_if(
      grid.cards, [](const Card& card) { return !card.overall; }, &Card::name);
  return "all: the geometric mean over the columns (" + std::to_string(grid.shared_cells) + " of " +
         std::to_string(grid.cells.size()) + ") of which every machine " +
         (lone.empty() ? "" : "of the fullest column ") + "has a figure" +
         (is_by_best ? ", relative to the best machine's" : " relative to the baseline's") +
         (lone.empty() ? "" : "; not in that column: " + joined(lone, "; "));
}

void add_card_failures(const Comparison& comparison, const ResultTable& table, const CardGrid& grid,
                       ViewTable& view) {
  const std::size_t before = view.columns.size() - grid.cells.size();
  for (std::size_t cell = 0; cell < grid.cells.size(); ++cell) {
    std::vector<std::pair<std::string, std::string>> failed;
    for (const Card& card : grid.cards) {
      const CardPlace& place = card.places[cell];
      std::string words = place.pool ? failed_words(table, comparison.pools[*place.pool]) : "";
      if (!words.empty()) {
        failed.emplace_back(std::move(words), card.name);
      }
    }
    add_failures(view, view.columns[before + cell].head, kOverall, grid.cells[cell].name, failed);
  }
}

/// A table with a row per card, a column per cell, and the mean over the shared cells.
ViewTable cards_table(const Comparison& comparison, const ResultTable& table,
                      const CardGrid& grid) {
  ViewTable view;
  view.narrow = Narrow::kParts;
  view.columns = {{"machine", false, 0}};
  const bool has_overall = grid.shared_cells > 0;
  if (has_overall) {
    view.columns.push_back({kOverall, true, 0});
  }
  std::string common;
  for (const std::string& name : short_names(grid.cells, common)) {
    view.columns.push_back({name.empty() ? comparison.metric.head : name, true, 0});
  }
  view.title = comparison.metric.head + (common.empty() ? "" : ": " + common);
  for (const Card& card : grid.cards) {
    ViewRow& row = view.rows.emplace_back();
    row.cells = {card.name};
    if (has_overall) {
      row.cells.push_back(overall_text(comparison, card));
    }
    for (const CardPlace& place : card.places) {
      row.cells.push_back(place_text(comparison, table, place));
    }
  }
  const std::string first = has_overall ? kOverall : view.columns[1].head;
  view.legends.push_back({{first}, overall_words(comparison, grid)});
  add_mark_legends(comparison, view);
  add_card_failures(comparison, table, grid, view);
  if (grid.lone_cells > 0) {
    view.remarks.push_back(counted(static_cast<std::int64_t>(grid.lone_cells), "cell") +
                           " that only one machine has are in the tables below, not here");
  }
  return view;
}

} // namespace

std::optional<ViewTable> overview(const Comparison& comparison, const ResultTable& table,
                                  const CardGrid& grid) {
  if (!comparison.has_own_layout && grid.cards.size() > 1 && grid.cells.size() > 1) {
    return cards_table(comparison, table, grid);
  }
  return comparison.columns.size() > 1 ? std::optional(lines_table(comparison, table))
                                       : std::nullopt;
}

} // namespace sdbench
