#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace sdbench {

/// What the cells of a column are.
enum class Cells {
  kOneLine,
  kLines,   ///< on a page they may take several lines
  kCommand, ///< the same; a shell reads them as they are copied
};

struct ViewColumn {
  std::string head; ///< may have several lines, and more where there is no room
  bool is_number = false;
  /// In a narrow terminal the greatest goes first; 1: only where names would be cut to less than
  /// three quarters, too; 0: never.
  int drop = 0;
  Cells cells = Cells::kOneLine;
};

enum class Tone { kPlain, kGood, kBad, kFaint };

struct ViewRow {
  std::vector<std::string> cells; ///< of all columns, or of the first ones
  Tone tone = Tone::kPlain;       ///< of the cells
  std::string trouble = {};       ///< behind the cells: what went wrong
  std::string title = {};         ///< of the row as a block; empty: its first cells
};

/// What columns mean. A form says it where it shows one of them.
struct Legend {
  std::vector<std::string> heads; ///< of these columns
  std::string words;
};

/// What becomes of a table that is wider than the terminal.
enum class Narrow {
  kDrop,   ///< columns are left out by ViewColumn::drop, and named below it
  kParts,  ///< the columns that do not fit go on in a further table
  kBlocks, ///< each row becomes a block of lines, as at last in the other two
};

/// A table in words, for every form that a person reads. Texts may still hold anything that was in
/// the files: a form escapes them.
struct ViewTable {
  std::string title;
  std::string answer; ///< which is the fastest, and by how much
  std::vector<ViewColumn> columns;
  std::vector<ViewRow> rows;
  std::vector<std::string> remarks; ///< below it
  std::vector<Legend> legends = {}; ///< of this table alone, before the remarks
  Narrow narrow = Narrow::kDrop;
  /// The first columns say which row it is: they stay where others go, and name its block. The last
  /// of them may be shortened, first by the words of who made the card and the engine.
  std::size_t name_columns = 1;
  bool wraps = false;                  ///< on a page: its cells may take several lines
  std::string_view whole_form = "csv"; ///< of --format: one that leaves no column out
};

/// What a command says in tables.
struct View {
  std::string command;    ///< of sdbench: "compare"
  std::string title = {}; ///< the user's, above all; may be empty
  std::string head;       ///< what the tables are of; may be empty
  std::vector<ViewTable> tables;
  std::vector<std::string> remarks = {};
  std::vector<Legend> legends = {}; ///< of all tables, before the remarks
};

/// The heads of all columns.
[[nodiscard]] std::set<std::string> heads_of(const ViewTable& table);
[[nodiscard]] std::set<std::string> heads_of(const View& view);
/// What legends say where columns of the heads `shown` are.
[[nodiscard]] std::vector<std::string> legend_words(const std::vector<Legend>& legends,
                                                    const std::set<std::string>& shown);

} // namespace sdbench
