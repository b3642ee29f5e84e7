#pragma once

#include <cstdint>
#include <deque>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "sdbench/front/record/cell_value.h"
#include "sdbench/front/record/field_access.h"
#include "sdbench/front/record/field_name.h"
#include "sdbench/front/record/run_record.h"

namespace sdbench {

/// Index of a field in record_fields().
[[nodiscard]] constexpr std::size_t field_index(FieldName name) {
  return name.place();
}
/// Index of a field that the user named in an option ("--filter"). For an unknown name, throws
/// UsageError that suggests similar names.
[[nodiscard]] std::size_t asked_field(std::string_view name, std::string_view option);

/// Where a row was read from.
struct ResultOrigin {
  std::uint32_t file = 0; ///< index into ResultTable::files()
  /// Line of the file in which the row begins, counted from 1; in a database, the row's position.
  std::uint32_t line = 0;
};

/// Many records, stored by columns. Each distinct text is stored once, numbers are doubles, and raw
/// times are not stored. A row takes about 1.5 kB, a third of a RunRecord, so a hundred thousand
/// rows fit into memory.
class ResultTable {
public:
  ResultTable();
  // Views point into the table's texts, so it can be copied only by copy().
  ResultTable(const ResultTable&) = delete;
  ResultTable& operator=(const ResultTable&) = delete;
  ResultTable(ResultTable&&) = default;
  ResultTable& operator=(ResultTable&&) = default;
  ~ResultTable() = default;
  /// A new table with the same rows.
  [[nodiscard]] ResultTable copy() const;

  /// Adds a file and returns its index for ResultOrigin.
  std::uint32_t add_file(std::filesystem::path file);
  /// Renames the files to "file 1" and so on, because their names may reveal their owner.
  void number_files();
  /// Adds an empty row at the end and returns its index.
  std::size_t add_row(ResultOrigin origin);
  /// Adds a row with all fields of the record and returns its index.
  std::size_t add(const RunRecord& record, ResultOrigin origin = {});
  /// Overwrites the row at index `row` with a copy of the last row.
  void put_last_at(std::size_t row);
  /// Removes the last row.
  void drop_last();

  /// Sets a field from a text in the form of field_text(). An empty text means no value. Throws
  /// FieldError if a number is malformed or not finite.
  void set(std::size_t row, std::size_t field, std::string_view text);
  /// Sets a field from a text, as above, or from a number. Text fields and the seed accept only a
  /// text (see FieldValue).
  void set(std::size_t row, std::size_t field, const CellValue& value);

  [[nodiscard]] std::size_t size() const { return origins_.size(); }
  /// The indices of all rows.
  [[nodiscard]] std::vector<std::size_t> all_rows() const;
  [[nodiscard]] const ResultOrigin& origin(std::size_t row) const { return origins_[row]; }
  [[nodiscard]] const std::vector<std::filesystem::path>& files() const { return files_; }

  /// The value of a text field, or of the seed, whose 64 bits do not fit into a double. The view is
  /// valid as long as the table exists.
  [[nodiscard]] std::string_view text(std::size_t row, std::size_t field) const;
  /// The value of a number field; nullopt if it is empty.
  [[nodiscard]] std::optional<double> number(std::size_t row, std::size_t field) const;
  /// True if the field has a value in this row.
  [[nodiscard]] bool says(std::size_t row, std::size_t field) const;
  /// The value of any field, in the form of field_text().
  [[nodiscard]] std::string value_text(std::size_t row, std::size_t field) const;
  /// A number that is the same for equal texts of one field: a cheap key for grouping.
  [[nodiscard]] std::uint32_t text_id(std::size_t row, std::size_t field) const;

  /// These take the field's name instead of its index.
  [[nodiscard]] std::string_view text(std::size_t row, FieldName name) const {
    return text(row, name.place());
  }
  [[nodiscard]] std::optional<double> number(std::size_t row, FieldName name) const {
    return number(row, name.place());
  }
  [[nodiscard]] bool says(std::size_t row, FieldName name) const { return says(row, name.place()); }
  [[nodiscard]] std::string value_text(std::size_t row, FieldName name) const {
    return value_text(row, name.place());
  }
  [[nodiscard]] std::uint32_t text_id(std::size_t row, FieldName name) const {
    return text_id(row, name.place());
  }

private:
  void make_room();
  [[nodiscard]] std::uint32_t pooled(std::string_view text);
  /// Returns the text's index in pool_, as pooled() does. First looks at the two rows before
  /// `row`, which mostly have the same text.
  [[nodiscard]] std::uint32_t place_of(std::size_t row, std::size_t field, std::string_view text);

  struct Column {
    bool is_text = false;
    bool is_integer = false;
    // Both may be longer than the number of rows. The surplus elements are empty.
    std::vector<std::uint32_t> texts; ///< indices in pool_; 0 is the empty text
    std::vector<double> numbers;      ///< NaN: no value, or a NaN in the record
  };
  std::vector<Column> columns_; ///< in the order of record_fields()
  std::vector<ResultOrigin> origins_;
  std::vector<std::filesystem::path> files_;
  std::size_t room_ = 0;               ///< number of rows for which the columns have space
  std::deque<std::string> texts_;      ///< a deque, because it never moves its elements
  std::vector<std::string_view> pool_; ///< views of the texts in texts_
  std::unordered_map<std::string_view, std::uint32_t> places_; ///< index in pool_ by text
};

} // namespace sdbench
