#include "sdbench/front/words/page_width.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sdbench/base/text/listed.h"
#include "sdbench/front/words/short_names.h"
#include "sdbench/front/words/terminal_text.h"

namespace sdbench {
namespace {

constexpr std::size_t kPagePixels = 830;
constexpr std::size_t kPixelsOfCharacter = 8;
constexpr std::size_t kPixelsAroundCell = 27;
constexpr std::size_t kNameCharacters = 22;  ///< in each line of a name that takes several
constexpr std::size_t kNamesCharacters = 20; ///< the same where two names stand side by side
constexpr std::size_t kLinesCharacters = 20; ///< in each line of other texts

/// Columns of the longest line of a text that breaks at any of the characters `ends`.
std::size_t longest_line(std::string_view text, std::string_view ends) {
  std::size_t longest = 0;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find_first_of(ends, begin), text.size());
    longest = std::max(longest, columns_of(text.substr(begin, end - begin)));
    begin = end + 1;
  }
  return longest;
}

std::size_t longest_cell(const ViewTable& table, std::size_t column, std::string_view ends) {
  std::size_t longest = 0;
  for (const ViewRow& row : table.rows) {
    if (column < row.cells.size()) {
      longest = std::max(longest, longest_line(row.cells[column], ends));
    }
  }
  return longest;
}

/// Characters per line, beyond which a text takes a further line; nothing for always one line.
std::optional<std::size_t> characters_of_line(const ViewTable& table, std::size_t column) {
  if (column < table.name_columns) {
    return table.name_columns > 2 ? kNamesCharacters : kNameCharacters;
  }
  return table.columns[column].cells != Cells::kOneLine ? std::optional(kLinesCharacters)
                                                        : std::nullopt;
}

std::size_t pixels_of(const ViewTable& table, std::size_t column) {
  const bool is_name = column < table.name_columns;
  const std::size_t cell = longest_cell(table, column, table.wraps && !is_name ? "\n " : "\n");
  const std::size_t head = longest_line(table.columns[column].head, "\n ");
  const std::size_t line = std::min(cell, characters_of_line(table, column).value_or(cell));
  return kPixelsAroundCell + kPixelsOfCharacter * std::max(head, line);
}

std::size_t pixels_of(const ViewTable& table) {
  std::size_t pixels = 0;
  for (std::size_t column = 0; column < table.columns.size(); ++column) {
    pixels += pixels_of(table, column);
  }
  return pixels;
}

/// The table with makers left out of its names, if it is too wide for a page.
ViewTable with_short_names(ViewTable table) {
  if (pixels_of(table) <= kPagePixels) {
    return table;
  }
  const std::size_t name = std::max<std::size_t>(table.name_columns, 1) - 1;
  std::vector<std::string> names = names_without_makers(mapped(table.rows, [&](const ViewRow& row) {
    return name < row.cells.size() ? row.cells[name] : "";
  }));
  for (std::size_t row = 0; row < names.size(); ++row) {
    if (name < table.rows[row].cells.size()) {
      table.rows[row].cells[name] = std::move(names[row]);
    }
  }
  return table;
}

/// The table with only these columns.
ViewTable with_columns(const ViewTable& table, const std::vector<std::size_t>& kept) {
  ViewTable part = table;
  part.columns.clear();
  for (const std::size_t column : kept) {
    part.columns.push_back(table.columns[column]);
  }
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    auto& cells = part.rows[row].cells;
    cells.clear();
    for (const std::size_t column : kept) {
      const auto& all = table.rows[row].cells;
      cells.push_back(column < all.size() ? all[column] : "");
    }
  }
  return part;
}

/// The table without the least important columns, as far as needed. A remark names them.
ViewTable without_columns(const ViewTable& table) {
  std::vector<std::size_t> kept(table.columns.size());
  std::iota(kept.begin(), kept.end(), 0U);
  std::size_t pixels = pixels_of(table);
  std::vector<std::size_t> gone;
  while (pixels > kPagePixels) {
    const auto least = std::ranges::max_element(
        kept, {}, [&](std::size_t column) { return table.columns[column].drop; });
    if (table.columns[*least].drop == 0) {
      break;
    }
    pixels -= pixels_of(table, *least);
    gone.push_back(*least);
    kept.erase(least);
  }
  if (gone.empty()) {
    return table;
  }
  std::ranges::sort(gone);
  std::vector<std::string> heads =
      mapped(gone, [&](std::size_t column) { return table.columns[column].head; });
  ViewTable fitted = with_columns(table, kept);
  fitted.remarks.push_back("no room for: " + joined(heads) + " (all in --format " +
                           std::string(table.whole_form) + ")");
  return fitted;
}

/// Splits the table into tables that fit a page. Each has the names, the last has the remarks.
std::vector<ViewTable> parts_of(const ViewTable& table) {
  std::vector<std::size_t> names;
  std::size_t names_pixels = 0;
  for (std::size_t column = 0; column < table.name_columns; ++column) {
    names.push_back(column);
    names_pixels += pixels_of(table, column);
  }
  std::vector<std::vector<std::size_t>> parts;
  std::size_t pixels = kPagePixels + 1; // the first column opens a part
  for (std::size_t column = table.name_columns; column < table.columns.size(); ++column) {
    if (pixels + pixels_of(table, column) > kPagePixels) {
      parts.push_back(names);
      pixels = names_pixels;
    }
    parts.back().push_back(column);
    pixels += pixels_of(table, column);
  }
  std::vector<ViewTable> tables;
  for (std::size_t part = 0; part < parts.size(); ++part) {
    ViewTable& shown = tables.emplace_back(with_columns(table, parts[part]));
    if (part > 0) {
      shown.title += shown.title.empty() ? "" : ", continued";
      shown.answer.clear();
    }
    if (part + 1 < parts.size()) {
      shown.remarks.clear();
    }
  }
  return tables;
}

/// The table with cells that break after commas only, so that a mark stays with its figure.
ViewTable with_lines_in_cells(ViewTable table) {
  constexpr std::string_view kNoBreak = "\u00a0";
  table.wraps = true;
  for (ViewRow& row : table.rows) {
    for (std::size_t column = table.name_columns; column < row.cells.size(); ++column) {
      std::string& cell = row.cells[column];
      for (std::size_t at = cell.find(' '); at != std::string::npos; at = cell.find(' ', at + 1)) {
        if (at == 0 || cell[at - 1] != ',') {
          cell.replace(at, 1, kNoBreak);
        }
      }
    }
  }
  return table;
}

/// The fewest parts possible, with one-line cells if that needs no further part.
std::vector<ViewTable> fewest_parts_of(const ViewTable& table) {
  std::vector<ViewTable> parts = parts_of(table);
  if (parts.size() > 1) {
    std::vector<ViewTable> of_wrapped = parts_of(with_lines_in_cells(table));
    if (of_wrapped.size() < parts.size()) {
      return of_wrapped;
    }
  }
  return parts;
}

} // namespace

bool takes_lines(const ViewTable& table, std::size_t column) {
  const std::optional<std::size_t> most = characters_of_line(table, column);
  return most && longest_cell(table, column, "\n") > *most;
}

View fitted_to_page(View view) {
  std::vector<ViewTable> tables;
  for (const ViewTable& whole : view.tables) {
    const ViewTable table = with_short_names(whole);
    if (table.narrow == Narrow::kParts) {
      std::ranges::move(fewest_parts_of(table), std::back_inserter(tables));
    } else {
      tables.push_back(without_columns(table));
    }
  }
  view.tables = std::move(tables);
  return view;
}

} // namespace sdbench
