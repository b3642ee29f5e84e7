#include "missing_cells.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "sdbench/base/text/escape.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/front/record/field_name.h"
#include "sdbench/front/record/record_fields.h"

namespace sdbench {
namespace {

/// A row of the cell: the best card's, else that of any card that tried the cell.
std::size_t row_of_cell(const Comparison& comparison, const CardGrid& grid, std::size_t cell) {
  std::optional<std::size_t> pool;
  for (const Card& card : grid.cards) {
    const CardPlace& place = card.places[cell];
    if (place.pool && (!pool || place.is_reference)) {
      pool = place.pool;
    }
  }
  return comparison.pools[*pool].sample_row(); // a cell is one that some card has
}

using Lines = std::vector<const ComparedLine*>;

/// Lines of other cards that are the same device in the same host.
Lines twins_of(const Comparison& comparison, const CardGrid& grid, const ComparedLine& line) {
  Lines twins;
  for (const Card& card : grid.cards) {
    const ComparedLine& other = comparison.lines[card.lines.front()];
    if (&other != &line && other.machine == line.machine) {
      twins.push_back(&other);
    }
  }
  return twins;
}

bool has_same(const ResultTable& table, FieldName field, const ComparedLine& a,
              const ComparedLine& b) {
  return table.value_text(a.row, field.place()) == table.value_text(b.row, field.place());
}

/// Options that `reproduce` cannot know: the row's tags, and the GPU's number if twins have others.
std::string options_of(const ResultTable& table, const ComparedLine& line, const Lines& twins) {
  std::string options;
  for (const std::string_view tag : split(table.text(line.row, "tags"), ' ')) {
    options += tag.empty() ? "" : " --tag " + shell_word(std::string(tag));
  }
  const std::string index = table.value_text(line.row, field_index("device_index"));
  if (!index.empty() && !std::ranges::all_of(twins, [&](const ComparedLine* twin) {
        return has_same(table, "device_index", *twin, line);
      })) {
    options += " --device " + std::string(table.text(line.row, "device_kind")) + ":" + index;
  }
  return options;
}

/// True if a twin is the same card under another driver or in another state, which no command sets.
bool is_named_by_state(const ResultTable& table, const ComparedLine& line, const Lines& twins) {
  return std::ranges::any_of(twins, [&](const ComparedLine* twin) {
    return has_same(table, "device_uuid", *twin, line) &&
           has_same(table, "device_index", *twin, line) &&
           (!has_same(table, "driver_version", *twin, line) || twin->state != line.state);
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
    const Lines twins = twins_of(comparison, grid, line);
    for (std::size_t cell = 0; cell < grid.cells.size(); ++cell) {
      if (!card.places[cell].pool) {
        needs_state = needs_state || is_named_by_state(table, line, twins);
        view.rows.push_back({.cells = {card.name, grid.cells[cell].name,
                                       command_of(table, row_of_cell(comparison, grid, cell)) +
                                           options_of(table, line, twins)}});
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
