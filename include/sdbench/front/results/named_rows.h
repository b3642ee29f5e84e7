#pragma once

#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sdbench/front/results/row_report.h"

namespace sdbench {

/// Passes rows with named columns, from CSV files or databases, to a report. Ignores unknown
/// columns. If a number field has no column but may not be empty, it gets the value that it has in
/// an empty record.
class NamedRows {
public:
  explicit NamedRows(RowReport& report) : report_(report) {}

  /// Sets the columns' names. Of two columns with the same name, only the first is read, and the
  /// second is reported as a bad row at `line`.
  void set_columns(std::span<const std::string_view> names, std::size_t line);
  /// Number of columns; 0 before set_columns().
  [[nodiscard]] std::size_t size() const { return columns_.size(); }
  /// Adds a row with one value per column. Texts must be escaped as in files; they are unescaped
  /// here.
  void add(std::span<const CellValue> values, RawTimes raw, std::size_t line);
  /// Like add(), but if the row is bad, returns false and reports nothing.
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
  std::vector<FieldValue> values_; ///< values of the current row
  /// Owns the texts in values_ that differ from the texts in the file.
  std::deque<std::string> texts_;
};

} // namespace sdbench
