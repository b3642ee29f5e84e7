#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "sdbench/front/compare/comparison.h"
#include "sdbench/front/compare/verdict.h"

namespace sdbench {

/// What a card has of a cell.
struct CardPlace {
  std::optional<std::size_t> pool; ///< of the comparison; none: nobody measured it
  /// To the cell's best card, or to --baseline. None where one of the two has no figure.
  std::optional<Ratio> relative;
  bool is_reference = false; ///< it is that card
  Verdict verdict = Verdict::kUnclear;
};

/// A machine's device, in one state: a row of the grid.
struct Card {
  std::string name;               ///< "RTX 3060 on desk"
  std::vector<std::size_t> lines; ///< of the comparison, at least one
  /// The geometric mean of `relative` over the shared cells; beside the best of each cell as a part
  /// of the best card's. None where the card has no figure in the fullest cell: the one in which
  /// the most cards have one, of those as full the one whose cards share the most, then the first.
  std::optional<double> overall;
  std::vector<CardPlace> places; ///< one for each cell
};

/// One work, done in one way: a column of the grid.
struct CardCell {
  std::string name;       ///< "sd15 512x512, 20 steps, batch 1, sdbench tuned"
  std::size_t column = 0; ///< of the comparison
};

/// All cards beside each other. Unlike a comparison's lines, which tell ways apart, a card has one
/// row here whatever it was asked to do.
struct CardGrid {
  std::vector<Card> cards; ///< the best over all first
  std::vector<CardCell> cells;
  std::size_t shared_cells = 0; ///< those of which every card that has `overall` has a figure
  std::size_t lone_cells = 0;   ///< left out: one card alone has them, and there are many
};

/// Where software or weights differ in a card's rows of one cell (two versions of libtorch, for
/// example), that card has a row for each.
[[nodiscard]] CardGrid card_grid(const Comparison& comparison, const ResultTable& table);

} // namespace sdbench
