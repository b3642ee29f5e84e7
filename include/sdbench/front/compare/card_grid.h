#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "sdbench/front/compare/comparison.h"
#include "sdbench/front/compare/verdict.h"

namespace sdbench {

/// An entry of the grid: the figure of one card for one cell.
struct CardPlace {
  std::optional<std::size_t> pool; ///< index in Comparison::pools; nullopt: not measured
  /// Ratio of this figure to the best card's figure in the cell or, with --baseline, to the
  /// baseline's figure. nullopt if one of the two figures is missing.
  std::optional<Ratio> relative;
  bool is_reference = false; ///< the cell's other cards are compared with this one
  Verdict verdict = Verdict::kUnclear;
};

/// A row of the grid: one device of one machine, in one state (power limit, clocks and so on).
struct Card {
  std::string name;               ///< "RTX 3060 on desk"
  std::vector<std::size_t> lines; ///< indices in Comparison::lines, at least one
  /// The geometric mean of `relative` over the shared cells. Without --baseline, this mean is
  /// divided by the best card's mean. The fullest cell is the one in which the most cards have
  /// `relative`. In a shared cell, each card of the fullest cell has `relative`. If several cells
  /// tie, the fullest is the one that gives the most shared cells, or the first of these.
  /// nullopt for a card without `relative` in the fullest cell, or if no cell has two cards.
  std::optional<double> overall;
  std::vector<CardPlace> places; ///< one for each cell
};

/// A column of the grid: one workload, computed in one way (engine, dtype and so on).
struct CardCell {
  std::string name;       ///< "sd15 512x512, 20 steps, batch 1, sdbench tuned"
  std::size_t column = 0; ///< index in Comparison::columns
};

/// All cards in one table. A Comparison has a line for each combination of card and settings; this
/// grid has one row for each card.
struct CardGrid {
  std::vector<Card> cards; ///< the best `overall` first
  std::vector<CardCell> cells;
  std::size_t shared_cells = 0; ///< cells in which every card with `overall` has a figure
  /// Number of cells that the grid leaves out. With more than 12 cells, it leaves out those that
  /// only one card measured.
  std::size_t lone_cells = 0;
};

/// Makes the grid. A card gets several rows if its results for one cell differ in weights or
/// software, for example in the version of libtorch.
[[nodiscard]] CardGrid card_grid(const Comparison& comparison, const ResultTable& table);

} // namespace sdbench
