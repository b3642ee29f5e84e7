#include "missing_cells.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "sdbench/base/text/escape.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/front/record/field_access.h"
#include "sdbench/front/record/field_name.h"

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

/// True if another card is the same device in the same host, and `differs` from this one.
bool has_twin(const Comparison& comparison, const CardGrid& grid, const ComparedLine& line,
              const auto& differs) {
  return std::ranges::any_of(grid.cards, [&](const Card& card) {
    const ComparedLine& other = comparison.lines[card.lines.front()];
    return &other != &line && other.machine == line.machine && differs(other);
  });
}

/// Options that `reproduce` cannot know: the row's tags, and the GPU's number if a twin has
/// another.
std::string options_of(const Comparison& comparison, const ResultTable& table, const CardGrid& grid,
                       const ComparedLine& line) {
  std::string options;
  for (const std::string_view tag : split(table.text(line.row, "tags"), ' ')) {
    options += tag.empty() ? "" : " --tag " + shell_word(std::string(tag));
  }
  const auto index = table.number(line.row, "device_index");
  if (index && has_twin(comparison, grid, line, [&](const ComparedLine& other) {
        return table.number(other.row, "device_index") != index;
      })) {
    options += " --device " + std::string(table.text(line.row, "device_kind")) + ":" +
               table.value_text(line.row, "device_index");
  }
  return options;
}

/// True if a twin is the same card under another driver or in another state, which no command sets.
bool is_named_by_state(const Comparison& comparison, const ResultTable& table, const CardGrid& grid,
                       const ComparedLine& line) {
  const auto same = [&](const ComparedLine& other, FieldName field) {
    return table.value_text(other.row, field) == table.value_text(line.row, field);
  };
  return has_twin(comparison, grid, line, [&](const ComparedLine& other) {
    return same(other, "device_uuid") && same(other, "device_index") &&
           (!same(other, "driver_version") || other.state != line.state);
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
    const ComparedLine& line = comparison.lines[card.lines.front()];
    for (std::size_t cell = 0; cell < grid.cells.size(); ++cell) {
      if (!card.places[cell].pool) {
        needs_state = needs_state || is_named_by_state(comparison, table, grid, line);
        view.rows.push_back({.cells = {card.name, grid.cells[cell].name,
                                       command_of(table, row_of_cell(comparison, grid, cell)) +
                                           options_of(comparison, table, grid, line)}});
      }
    }
  }
  if (needs_state) {
    view.remarks.emplace_back("no command sets a power limit, clocks or a driver: first set the "
                              "machine as its name says");
  }
  view.name_columns = 2;
  return view.rows.empty() ? std::nullopt : std::optional(std::move(view));
}

} // namespace sdbench
