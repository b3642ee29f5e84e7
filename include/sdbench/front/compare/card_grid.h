#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "sdbench/front/compare/comparison.h"
#include "sdbench/front/compare/verdict.h"

namespace sdbench {

/// A card's figure for a cell.
struct CardPlace {
  std::optional<std::size_t> pool; ///< of the comparison; none: not measured
  /// Ratio to the cell's best card, or to --baseline. Nothing if either has no figure.
  std::optional<Ratio> relative;
  bool is_reference = false; ///< it is the card compared with
  Verdict verdict = Verdict::kUnclear;
};

/// A machine's device, in one state: a row of the grid.
struct Card {
  std::string name;               ///< "RTX 3060 on desk"
  std::vector<std::size_t> lines; ///< of the comparison, at least one
  /// The geometric mean of `relative` over the shared cells; without --baseline as a part of the
  /// best card's mean. None if the card has no figure in the fullest cell. That is the cell in
  /// which most cards have a figure; on a tie the one whose cards share most cells, then the first.
  std::optional<double> overall;
  std::vector<CardPlace> places; ///< one for each cell
};

/// One work, done in one way: a column of the grid.
struct CardCell {
  std::string name;       ///< "sd15 512x512, 20 steps, batch 1, sdbench tuned"
  std::size_t column = 0; ///< of the comparison
};

/// All cards side by side. Unlike a comparison, which has a line for each way to run, the grid has
/// one row for each card.
struct CardGrid {
  std::vector<Card> cards; ///< the best over all first
  std::vector<CardCell> cells;
  std::size_t shared_cells = 0; ///< cells in which every card with `overall` has a figure
  std::size_t lone_cells = 0;   ///< left out, because only one card has them and there are many
};

/// A card gets several rows if software or weights differ between its rows of one cell, such as two
/// versions of libtorch.
[[nodiscard]] CardGrid card_grid(const Comparison& comparison, const ResultTable& table);

} // namespace sdbench
