#pragma once

#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sdbench/results/row_report.h"

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
  /// A row with a text for each column, escaped as in files; nullopt is no text.
  void add(std::span<const std::optional<std::string_view>> texts, RawTimes raw, std::size_t line);
  /// False, and nothing is told, where add() would tell a bad one.
  [[nodiscard]] bool try_add(std::span<const std::optional<std::string_view>> texts, RawTimes raw,
                             std::size_t line);

private:
  struct Column {
    std::size_t field = 0;
    bool is_known = false;
    bool is_text = false;
    bool may_be_empty = false;
  };
  void take(std::span<const std::optional<std::string_view>> texts);
  [[nodiscard]] std::string_view value_of(const Column& column,
                                          const std::optional<std::string_view>& text);

  RowReport& report_;
  std::vector<Column> columns_;
  std::vector<FieldText> defaults_;
  std::deque<std::string> default_texts_;
  std::vector<FieldText> values_; ///< of the row in hand
  std::deque<std::string> unescaped_;
};

} // namespace sdbench
