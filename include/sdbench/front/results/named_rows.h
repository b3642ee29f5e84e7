#pragma once

#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sdbench/front/results/row_report.h"

namespace sdbench {

/// Rows of texts under named columns, as CSV files and databases have them, on their way to a
/// report. Columns that this version does not know are passed over; fields of numbers that have no
/// column and cannot be absent are as in an empty record.
class NamedRows {
public:
  explicit NamedRows(RowReport& report) : report_(report) {}

  /// Of two columns of one name the first is read; `line` is where that is told.
  void set_columns(std::span<const std::string_view> names, std::size_t line);
  /// Columns so far; 0: none are set.
  [[nodiscard]] std::size_t size() const { return columns_.size(); }
  /// A row with a value for each column; texts are escaped as in files.
  void add(std::span<const CellValue> values, RawTimes raw, std::size_t line);
  /// False, and nothing is told, where add() would tell a bad one.
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
  std::vector<FieldValue> values_; ///< of the row in hand
  std::deque<std::string> texts_;  ///< of its values that have another in the file
};

} // namespace sdbench
