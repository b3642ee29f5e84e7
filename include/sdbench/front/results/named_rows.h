#pragma once

#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sdbench/front/results/row_report.h"

namespace sdbench {

/// Passes rows of texts under named columns (CSV files, databases) to a report. Ignores unknown
/// columns. Required fields of numbers without a column get the value of an empty record.
class NamedRows {
public:
  explicit NamedRows(RowReport& report) : report_(report) {}

  /// Sets the columns' names. Reads only the first of two columns with one name, and reports the
  /// second at `line`.
  void set_columns(std::span<const std::string_view> names, std::size_t line);
  /// Number of columns; 0 before set_columns().
  [[nodiscard]] std::size_t size() const { return columns_.size(); }
  /// Adds a row with a value for each column; texts are escaped as in files.
  void add(std::span<const CellValue> values, RawTimes raw, std::size_t line);
  /// Adds the row as add() does, but returns false and reports nothing if it is bad.
  [[nodiscard]] bool try_add(std::span<const CellValue> values, RawTimes raw, std::size_t line);

private:
  struct Column {
    std::size_t field = 0;
    bool is_known = false;
    bool is_text = false;
    bool may_be_empty = false;
    bool takes_integers = false;
    bool takes_numbers = false;
  };
  void take(std::span<const CellValue> values);
  [[nodiscard]] static bool is_read(const Column& column, const CellValue& value);
  [[nodiscard]] std::string_view read(const Column& column, const CellValue& value);

  RowReport& report_;
  std::vector<Column> columns_;
  std::vector<FieldValue> defaults_;
  std::deque<std::string> default_texts_;
  std::vector<FieldValue> values_; ///< of the current row
  std::deque<std::string> texts_;  ///< of its values that are written differently in the file
};

} // namespace sdbench
