#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "named_cards.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/numbers/number_text.h"
#include "sdbench/base/text/in_quotes.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/front/compare/card_grid.h"
#include "sdbench/front/compare/comparison.h"
#include "sdbench/front/compare/explain.h"
#include "sdbench/front/results/result_table.h"

namespace sdbench {
namespace {

constexpr std::size_t kShortestIdPart = 4;

using Chosen = ExplainedRow;

/// The places of these lines, column by column, the best first in each.
std::vector<Chosen> places_of_lines(const Comparison& comparison,
                                    const std::vector<std::size_t>& lines) {
  std::vector<Chosen> places;
  for (const ComparedColumn& column : comparison.columns) {
    for (const std::size_t place : column.pools) {
      if (std::ranges::find(lines, comparison.pools[place].line) != lines.end()) {
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

std::vector<Chosen> places_named(const Comparison& comparison, const ResultTable& table,
                                 const std::string& name) {
  const std::vector<NamedCard> cards = cards_named(comparison, table, name);
  if (cards.size() > 1) {
    throw UsageError("--explain must name one row or machine, but " +
                     several_fit(name, mapped(cards, &NamedCard::name)));
  }
  std::vector<Chosen> places =
      cards.empty() ? std::vector<Chosen>() : places_of_lines(comparison, cards.front().lines);
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

/// For each pool its cell in the first table, or its column if it is not in that table. Pools of
/// one cell did the same work in the same way.
class GridCells {
public:
  GridCells(const Comparison& comparison, const ResultTable& table) : comparison_(comparison) {
    for (const Card& card : card_grid(comparison, table).cards) {
      for (std::size_t cell = 0; cell < card.places.size(); ++cell) {
        if (const auto pool = card.places[cell].pool) {
          cells_.emplace(*pool, cell);
        }
      }
    }
  }

  /// Rates how well two places can be compared: the same work counts most, then that both have
  /// figures, then the same way. 0 if both are the same row.
  [[nodiscard]] int worth(const Chosen& a, const Chosen& b) const {
    if (a.row == b.row) {
      return 0;
    }
    const Pool& ours = comparison_.pools[a.pool];
    const Pool& theirs = comparison_.pools[b.pool];
    return 1 + (ours.column == theirs.column ? kSameWork : 0) +
           (ours.figure && theirs.figure ? kBothHaveFigures : 0) + (is_same_cell(a, b) ? 1 : 0);
  }

  [[nodiscard]] bool is_same_cell(const Chosen& a, const Chosen& b) const {
    const auto ours = cells_.find(a.pool);
    const auto theirs = cells_.find(b.pool);
    return ours != cells_.end() && theirs != cells_.end() && ours->second == theirs->second;
  }

  static constexpr int kBothHaveFigures = 2;
  static constexpr int kSameWork = 4;

private:
  const Comparison& comparison_;
  std::map<std::size_t, std::size_t> cells_; ///< by pool
};

/// The first pair of the highest worth. `others` gets the first pair of each further cell.
ExplainedRows chosen_of(const Comparison& comparison, const GridCells& cells,
                        const std::vector<Chosen>& a, const std::vector<Chosen>& b) {
  ExplainedRows chosen;
  int best = 0;
  std::set<std::size_t> seen; // pools of equal cells, else columns
  for (const Chosen& left : a) {
    for (const Chosen& right : b) {
      const int worth = cells.worth(left, right);
      if (worth > best) {
        chosen = {.a = left, .b = right, .others = {}, .by_number = false};
        best = worth;
        seen.clear();
      }
      const bool is_first = seen.empty();
      const std::size_t place =
          cells.is_same_cell(left, right) ? left.pool : comparison.pools[left.pool].column;
      const bool is_new = worth == best && seen.insert(place).second;
      if (is_new && !is_first && worth > GridCells::kSameWork) {
        chosen.others.emplace_back(left, right);
      }
    }
  }
  if (best == 0) {
    throw UsageError("--explain must name two rows, but both names are of the same row");
  }
  return chosen;
}

} // namespace

ExplainedRows explained_rows(const Comparison& comparison, const ResultTable& table,
                             const std::string& a, const std::string& b) {
  if (a == b) {
    throw UsageError("--explain must name two rows, but names " + in_quotes(a) + " twice");
  }
  const std::vector<Chosen> of_a = places_named(comparison, table, a);
  const std::vector<Chosen> of_b = places_named(comparison, table, b);
  ExplainedRows rows = chosen_of(comparison, GridCells(comparison, table), of_a, of_b);
  rows.by_number = parse_integer(a) || parse_integer(b);
  return rows;
}

} // namespace sdbench
