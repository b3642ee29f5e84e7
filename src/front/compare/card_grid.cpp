#include "sdbench/front/compare/card_grid.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <string_view>
#include <utility>

#include "sdbench/base/text/listed.h"
#include "sdbench/front/compare/baseline.h"
#include "sdbench/front/compare/distinct_names.h"
#include "sdbench/front/compare/pooled_figure.h"
#include "sdbench/front/results/result_table.h"

#include "fill_unknowns.h"

namespace sdbench {
namespace {

using WordList = std::vector<std::string>;

void fill_unknown(WordList& words, const WordList& others) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    words[i] = words[i].empty() ? others[i] : words[i];
  }
}

class GridMaker {
public:
  GridMaker(const Comparison& comparison, const ResultTable& table)
      : comparison_(comparison), table_(table), pools_of_lines_(comparison.lines.size()) {
    for (std::size_t pool = 0; pool < comparison.pools.size(); ++pool) {
      pools_of_lines_[comparison.pools[pool].line].push_back(pool);
    }
    for (std::size_t line = 0; line < comparison.lines.size(); ++line) {
      place(line);
    }
  }

  [[nodiscard]] CardGrid take() {
    CardGrid grid;
    const std::vector<std::string> ways = way_names();
    std::map<Key, std::size_t> columns;
    for (const Key& key : chosen_cells(grid)) {
      const std::string& column = comparison_.columns[key.first].name;
      columns.emplace(key, grid.cells.size());
      grid.cells.push_back(
          {.name = ways[key.second].empty() ? column : column + ", " + ways[key.second],
           .column = key.first});
    }
    const std::vector<std::string> names = card_names();
    for (std::size_t i = 0; i < cards_.size(); ++i) {
      Card& card = grid.cards.emplace_back();
      card.name = names[i];
      card.lines = cards_[i].lines;
      card.places.resize(grid.cells.size());
      for (const auto& [key, pool] : cards_[i].pools) {
        if (const auto column = columns.find(key); column != columns.end()) {
          card.places[column->second].pool = pool;
        }
      }
    }
    return grid;
  }

private:
  /// A column of the comparison and a way, both by number.
  using Key = std::pair<std::size_t, std::size_t>;

  struct CardLines {
    WordList place;
    WordList brought;
    std::vector<std::size_t> lines; ///< the first stands for all of them
    std::map<Key, std::size_t> pools;
  };

  void place(std::size_t line) {
    const ComparedLine& named = comparison_.lines[line];
    std::map<Key, std::size_t> pools;
    for (const std::size_t pool : pools_of_lines_[line]) {
      pools.emplace(Key(comparison_.pools[pool].column, way_of(pool)), pool);
    }
    const auto card = std::ranges::find_if(cards_, [&](const CardLines& there) {
      const bool is_free = std::ranges::none_of(
          pools, [&](const auto& pool) { return there.pools.contains(pool.first); });
      const ComparedLine& first = comparison_.lines[there.lines.front()];
      return is_free && fit(there.place, named.place_words) && first.state == named.state &&
             first.is_baseline == named.is_baseline &&
             table_.text(first.row, "tags") == table_.text(named.row, "tags");
    });
    if (card == cards_.end()) {
      cards_.push_back({named.place_words, named.brought_words, {line}, std::move(pools)});
      return;
    }
    fill_unknown(card->place, named.place_words);
    keep_shared(card->brought, named.brought_words);
    card->lines.push_back(line);
    card->pools.merge(pools);
  }

  /// The index of the pool's way. Two rows of one engine share a way if they have the same variant
  /// id or the same words: `--dtype fp16` in one may equal what `auto` chose in the other.
  std::size_t way_of(std::size_t pool) {
    const std::size_t row = comparison_.pools[pool].sample_row();
    const WordList& words = comparison_.lines[comparison_.pools[pool].line].way_words;
    const std::string engine = "/" + std::string(table_.text(row, "engine"));
    std::vector<std::string> keys = {joined(words, "\n") + engine};
    if (const std::string_view variant = table_.text(row, "variant_id"); !variant.empty()) {
      keys.push_back(std::string(variant) + engine);
    }
    std::size_t way = way_words_.size();
    for (const std::string& key : keys) {
      const auto known = ways_.find(key);
      way = known != ways_.end() ? known->second : way;
    }
    for (std::string& key : keys) {
      ways_.try_emplace(std::move(key), way);
    }
    if (way == way_words_.size()) {
      way_words_.push_back(words);
    } else {
      keep_shared(way_words_[way], words);
    }
    return way;
  }

  /// If there are many cells, leaves out those of a single card, which have nothing to compare
  /// with.
  [[nodiscard]] std::vector<Key> chosen_cells(CardGrid& grid) const {
    constexpr std::size_t kMostLoneCells = 12;
    std::map<Key, std::size_t> counts;
    for (const CardLines& card : cards_) {
      for (const auto& [key, pool] : card.pools) {
        ++counts[key];
      }
    }
    if (counts.size() > kMostLoneCells) {
      grid.lone_cells = std::erase_if(counts, [](const auto& cell) { return cell.second == 1; });
    }
    return mapped(counts, &std::pair<const Key, std::size_t>::first);
  }

  [[nodiscard]] std::vector<std::string> way_names() const {
    std::vector<Nameable> items;
    for (std::size_t i = 0; i < way_words_.size(); ++i) {
      items.push_back(
          {.base = "", .words = way_words_[i], .id = "variant " + std::to_string(i + 1)});
    }
    return distinct_names(items);
  }

  [[nodiscard]] std::vector<std::string> card_names() const {
    std::vector<Nameable> items;
    for (std::size_t i = 0; i < cards_.size(); ++i) {
      const CardLines& card = cards_[i];
      const ComparedLine& first = comparison_.lines[card.lines.front()];
      Nameable item{.base = card.place.front(), .words = card.place, .id = {}};
      std::ranges::copy(first.state_words, std::back_inserter(item.words));
      std::ranges::copy(card.brought, std::back_inserter(item.words));
      item.words.push_back(first.is_baseline ? "baseline" : "");
      item.id = "row " + std::to_string(card.lines.front() + 1);
      items.push_back(std::move(item));
    }
    return distinct_names(items);
  }

  const Comparison& comparison_;
  const ResultTable& table_;
  std::vector<std::vector<std::size_t>> pools_of_lines_;
  std::vector<CardLines> cards_;
  std::map<std::string, std::size_t> ways_;
  std::vector<WordList> way_words_; ///< shared by all rows of a way
};

const Pool* pool_with_figure(const Comparison& comparison, const CardPlace& place) {
  const Pool* pool = place.pool ? &comparison.pools[*place.pool] : nullptr;
  return pool != nullptr && pool->figure ? pool : nullptr;
}

/// Compares the cell's cards with its best card.
void judge_by_best(const Comparison& comparison, CardGrid& grid, std::size_t cell) {
  std::map<std::size_t, CardPlace*> places; // by pool
  for (Card& card : grid.cards) {
    if (pool_with_figure(comparison, card.places[cell]) != nullptr) {
      places.emplace(*card.places[cell].pool, &card.places[cell]);
    }
  }
  const PooledFigure* best = nullptr;
  for (const std::size_t pool : comparison.columns[grid.cells[cell].column].pools) { // best first
    const auto found = places.find(pool);
    if (found == places.end()) {
      continue;
    }
    const PooledFigure& figure = *comparison.pools[pool].figure;
    CardPlace& place = *found->second;
    place.is_reference = best == nullptr;
    best = place.is_reference ? &figure : best;
    place.relative = relative_to(comparison.metric, figure, *best);
    place.verdict = verdict_of(comparison.metric, figure, *best, comparison.threshold);
  }
}

/// Takes the judgement of the comparison.
void judge_by_baseline(const Comparison& comparison, CardGrid& grid, std::size_t cell) {
  for (Card& card : grid.cards) {
    CardPlace& place = card.places[cell];
    const Pool* pool = pool_with_figure(comparison, place);
    if (pool == nullptr) {
      continue;
    }
    place.is_reference = pool->is_baseline;
    if (pool->is_baseline) {
      place.relative = Ratio{};
    } else if (pool->base && comparison.pools[*pool->base].figure) {
      place.relative = pool->relative;
      place.verdict = pool->verdict;
    }
  }
}

using Cards = std::vector<std::size_t>; ///< places in CardGrid::cards

/// The cards with a relative figure in the cell.
Cards cards_in(const CardGrid& grid, std::size_t cell) {
  return filtered(integers(std::size_t{0}, grid.cards.size()), [&](std::size_t card) {
    return grid.cards[card].places[cell].relative.has_value();
  });
}

/// The cells in which all these cards have a relative figure.
std::vector<std::size_t> cells_shared_by(const CardGrid& grid, const Cards& cards) {
  return filtered(integers(std::size_t{0}, grid.cells.size()), [&](std::size_t cell) {
    return std::ranges::all_of(cards, [&](std::size_t card) {
      return grid.cards[card].places[cell].relative.has_value();
    });
  });
}

/// The cards of the cell with the most cards. Prefers, among equals, the cell whose cards share
/// the most cells, then the first. Empty if no cell has two cards.
Cards cards_that_share(const CardGrid& grid) {
  Cards most;
  std::size_t most_shared = 0;
  for (std::size_t cell = 0; cell < grid.cells.size(); ++cell) {
    Cards cards = cards_in(grid, cell);
    if (cards.size() < 2 || cards.size() < most.size()) {
      continue;
    }
    const std::size_t shared = cells_shared_by(grid, cards).size();
    if (cards.size() > most.size() || shared > most_shared) {
      most = std::move(cards);
      most_shared = shared;
    }
  }
  return most;
}

/// Fills in each card's geometric mean over the cells that all these cards share.
void fill_overall(CardGrid& grid, const Cards& cards) {
  const std::vector<std::size_t> cells = cells_shared_by(grid, cards);
  grid.shared_cells = cells.size();
  for (const std::size_t card : cards) {
    double logarithms = 0;
    for (const std::size_t cell : cells) {
      logarithms += std::log(grid.cards[card].places[cell].relative->value);
    }
    grid.cards[card].overall = std::exp(logarithms / static_cast<double>(cells.size()));
  }
}

/// Fills in the means over the shared cells, and sorts the cards by them.
void sum_up(const Comparison& comparison, CardGrid& grid) {
  const Cards cards = cards_that_share(grid);
  if (cards.empty()) {
    return;
  }
  fill_overall(grid, cards);
  const bool more_is_better = comparison.metric.is_speed() || comparison.metric.more_is_better;
  std::ranges::stable_sort(grid.cards, [&](const Card& a, const Card& b) {
    if (!a.overall || !b.overall) {
      return a.overall.has_value() && !b.overall.has_value();
    }
    return more_is_better ? *a.overall > *b.overall : *a.overall < *b.overall;
  });
  if (const double best = *grid.cards.front().overall; comparison.baseline == kBestBaseline) {
    for (Card& card : grid.cards) {
      card.overall = card.overall ? std::optional(*card.overall / best) : std::nullopt;
    }
  }
}

} // namespace

CardGrid card_grid(const Comparison& comparison, const ResultTable& table) {
  CardGrid grid = GridMaker(comparison, table).take();
  const bool is_by_best = comparison.baseline == kBestBaseline;
  for (std::size_t cell = 0; cell < grid.cells.size(); ++cell) {
    is_by_best ? judge_by_best(comparison, grid, cell) : judge_by_baseline(comparison, grid, cell);
  }
  sum_up(comparison, grid);
  return grid;
}

} // namespace sdbench
