#include "missing_cells.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "sdbench/base/text/listed.h"
#include "sdbench/base/text/shell_word.h"
#include "sdbench/front/record/record_fields.h"

namespace sdbench {
namespace {

/// A row of the cell: of its reference card, else of any card that tried the cell.
std::size_t row_of_cell(const Comparison& comparison, const CardGrid& grid, std::size_t cell) {
  std::optional<std::size_t> pool;
  for (const Card& card : grid.cards) {
    const CardPlace& place = card.places[cell];
    if (place.pool && (!pool || place.is_reference)) {
      pool = place.pool;
    }
  }
  return comparison.pools[*pool].sample_row(); // every cell has a card
}

/// Options that `reproduce` cannot know: the row's tags, and the GPU's number if the machine's name
/// contains it.
std::string options_of(const ResultTable& table, const Card& card, std::size_t row) {
  std::string options;
  for (const std::string_view tag : split(table.text(row, "tags"), ' ')) {
    options += tag.empty() ? "" : " --tag " + shell_word(std::string(tag));
  }
  const std::string index = table.value_text(row, field_index("device_index"));
  if (!index.empty() && card.name.find("GPU " + index) != std::string::npos) {
    options += " --device " + std::string(table.text(row, "device_kind")) + ":" + index;
  }
  return options;
}

/// True if the card's name includes facts that no command sets: its driver, or the card's settings.
bool is_named_by_state(const Card& card, const ComparedLine& line) {
  return card.name.find(", driver ") != std::string::npos ||
         std::ranges::any_of(line.state_words, [&](const std::string& word) {
           return !word.empty() && card.name.find(word) != std::string::npos;
         });
}

std::string command_of(const ResultTable& table, std::size_t row) {
  return "sdbench reproduce " + shell_word(table.files()[table.origin(row).file].string()) +
         " --run-id " + shell_word(std::string(table.text(row, "run_id")));
}

} // namespace

std::optional<ViewTable> missing_table(const Comparison& comparison, const ResultTable& table,
                                       const CardGrid& grid) {
  ViewTable view;
  view.title = "missing";
  view.columns = {{"machine", false, 0, Cells::kLines},
                  {"cell", false, 0, Cells::kLines},
                  {"command there", false, 0, Cells::kCommand}};
  bool needs_state = false;
  for (const Card& card : grid.cards) {
    const std::size_t card_row = comparison.lines[card.lines.front()].row;
    for (std::size_t cell = 0; cell < grid.cells.size(); ++cell) {
      if (!card.places[cell].pool) {
        needs_state = needs_state || is_named_by_state(card, comparison.lines[card.lines.front()]);
        view.rows.push_back({.cells = {card.name, grid.cells[cell].name,
                                       command_of(table, row_of_cell(comparison, grid, cell)) +
                                           options_of(table, card, card_row)}});
      }
    }
  }
  if (needs_state) {
    view.remarks.emplace_back("no command sets a power limit, clocks or a driver: first bring the "
                              "machine into the state that its name says");
  }
  view.name_columns = 2;
  return view.rows.empty() ? std::nullopt : std::optional(std::move(view));
}

} // namespace sdbench
