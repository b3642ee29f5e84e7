#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace sdbench {

/// The kind of a column's cells.
enum class Cells {
  kOneLine,
  kLines,   ///< they may take several lines on a page
  kCommand, ///< the same, for commands that people copy into a shell
};

struct ViewColumn {
  std::string head; ///< may have several lines, and more if there is no room
  bool is_number = false;
  /// Order of removal in a narrow terminal: the greatest goes first. 1: only if names would
  /// otherwise shrink below three quarters; 0: never.
  int drop = 0;
  Cells cells = Cells::kOneLine;
};

enum class Tone { kPlain, kGood, kBad, kFaint };

struct ViewRow {
  std::vector<std::string> cells; ///< for all columns, or for the first ones
  Tone tone = Tone::kPlain;       ///< of the cells
  std::string trouble = {};       ///< follows the cells: what went wrong
  std::string title = {};         ///< title of the row's block; empty: its first cells
};

/// The meaning of columns. A form prints it if it shows one of them.
struct Legend {
  std::vector<std::string> heads; ///< heads of these columns
  std::string words;
};

/// How a table that is wider than the terminal is shown.
enum class Narrow {
  kDrop,   ///< drops columns by ViewColumn::drop, and names them below it
  kParts,  ///< continues in a further table with the columns that do not fit
  kBlocks, ///< each row becomes a block of lines; also the last resort of the other two
};

/// A table of texts, for every form for people. Texts may contain anything from the files; a form
/// must escape them.
struct ViewTable {
  std::string title;
  std::string answer; ///< the fastest, and its lead
  std::vector<ViewColumn> columns;
  std::vector<ViewRow> rows;
  std::vector<std::string> remarks; ///< below it
  std::vector<Legend> legends = {}; ///< of this table only, before the remarks
  Narrow narrow = Narrow::kDrop;
  /// Number of leading columns that identify the row: they are never dropped, and name its block.
  /// The last of them may be shortened, first by the makers of card and engine.
  std::size_t name_columns = 1;
  bool wraps = false;                  ///< its cells may take several lines on a page
  std::string_view whole_form = "csv"; ///< a --format with all columns
};

/// The tables of a command's output.
struct View {
  std::string command;    ///< of sdbench: "compare"
  std::string title = {}; ///< the user's, at the top; may be empty
  std::string head;       ///< subject of the tables; may be empty
  std::vector<ViewTable> tables;
  std::vector<std::string> remarks = {};
  std::vector<Legend> legends = {}; ///< of all tables, before the remarks
};

/// The heads of all columns.
[[nodiscard]] std::set<std::string> heads_of(const ViewTable& table);
[[nodiscard]] std::set<std::string> heads_of(const View& view);
/// The texts of legends for the heads in `shown`.
[[nodiscard]] std::vector<std::string> legend_words(const std::vector<Legend>& legends,
                                                    const std::set<std::string>& shown);

} // namespace sdbench
