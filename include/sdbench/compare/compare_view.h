#pragma once

#include <string>
#include <vector>

#include "sdbench/compare/comparison.h"

namespace sdbench {

struct ViewColumn {
  std::string head; ///< of several lines in the table of all columns
  bool is_number = false;
  int drop = 0; ///< in a narrow terminal the greatest goes first; 0: never
};

enum class Tone { kPlain, kGood, kBad, kFaint };

struct ViewRow {
  std::vector<std::string> cells; ///< one for each column
  Tone tone = Tone::kPlain;       ///< of the verdict
};

/// A table in words, for every form that a person reads. Texts may still hold anything that was in
/// the files: a form escapes them.
struct ViewTable {
  std::string title;
  std::string answer; ///< which is the fastest, and by how much
  std::vector<ViewColumn> columns;
  std::vector<ViewRow> rows;
  std::vector<std::string> remarks; ///< below it
  /// The first columns stay, and the others may go to further tables of the same kind.
  std::size_t fixed_columns = 0; ///< 0: columns stay together, and some are dropped instead
};

struct CompareView {
  std::string head; ///< what is compared with what
  std::vector<ViewTable> tables;
  std::vector<std::string> remarks;
};

/// A table of all lines and columns if there are several columns, then one for each column with all
/// its figures.
[[nodiscard]] CompareView compare_view(const Comparison& comparison, const ResultTable& table);

/// "a", …, "z", "aa", …
[[nodiscard]] std::string mark_text(std::size_t place);

/// "1.25x"
[[nodiscard]] std::string times_text(double ratio);

} // namespace sdbench
