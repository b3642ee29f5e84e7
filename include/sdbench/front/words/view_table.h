#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace sdbench {

/// What a column's cells contain.
enum class Cells {
  kOneLine,
  kLines,   ///< texts that may take several lines on a page
  kCommand, ///< like kLines, for commands that people copy into a shell
};

struct ViewColumn {
  std::string head; ///< may have several lines, and is wrapped to more if it is too wide
  bool is_number = false;
  /// Order in which columns are removed if the table is too wide: the greatest number goes first.
  /// 1: removed only if names would otherwise be cut below three quarters of their length. 0: never
  /// removed.
  int drop = 0;
  Cells cells = Cells::kOneLine;
};

enum class Tone { kPlain, kGood, kBad, kFaint };

struct ViewRow {
  std::vector<std::string> cells; ///< texts of all columns, or only of the first ones
  Tone tone = Tone::kPlain;       ///< colour of the cells
  std::string trouble = {};       ///< what went wrong; shown after the cells
  std::string title = {}; ///< title if the row is shown as a block of lines; empty: its first cells
};

/// Explains columns. The explanation is printed if at least one of these columns is shown.
struct Legend {
  std::vector<std::string> heads; ///< heads of these columns
  std::string words;
};

/// What happens to a table that is wider than the terminal.
enum class Narrow {
  kDrop,   ///< columns are dropped in the order of ViewColumn::drop, and named below
  kParts,  ///< columns that do not fit continue in a further table
  kBlocks, ///< each row becomes a block of lines; also used if kDrop or kParts do not suffice
};

/// A table of texts, which each output format for people can show. Texts may contain anything that
/// files contain, so each format must escape them.
struct ViewTable {
  std::string title;
  std::string answer; ///< one line above the table: which row is fastest, and by how much
  std::vector<ViewColumn> columns;
  std::vector<ViewRow> rows;
  std::vector<std::string> remarks; ///< below the table
  std::vector<Legend> legends = {}; ///< explanations for this table only, before the remarks
  Narrow narrow = Narrow::kDrop;
  /// Number of leading columns that identify a row. They are never dropped, and are the title if
  /// the row becomes a block. If the table is too wide, the last of them loses the names of card
  /// and engine makers, and is then shortened.
  std::size_t name_columns = 1;
  bool wraps = false;                  ///< true: on a page, cells except names may break at blanks
  std::string_view whole_form = "csv"; ///< name of a --format that has all columns
};

/// The tables of a command's output.
struct View {
  std::string command;    ///< the command of sdbench: "compare"
  std::string title = {}; ///< title that the user gave, at the top; may be empty
  std::string head;       ///< what the tables are about; may be empty
  std::vector<ViewTable> tables;
  std::vector<std::string> remarks = {};
  std::vector<Legend> legends = {}; ///< explanations for all tables, before the remarks
};

/// Returns the heads of all columns.
[[nodiscard]] std::set<std::string> heads_of(const ViewTable& table);
[[nodiscard]] std::set<std::string> heads_of(const View& view);
/// Returns the explanations of those legends that concern any head in `shown`.
[[nodiscard]] std::vector<std::string> legend_words(const std::vector<Legend>& legends,
                                                    const std::set<std::string>& shown);

} // namespace sdbench
