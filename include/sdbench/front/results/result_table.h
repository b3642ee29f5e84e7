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
#include "sdbench/front/record/field_name.h"
#include "sdbench/front/record/record_fields.h"
#include "sdbench/front/record/run_record.h"

namespace sdbench {

/// The place of a field among record_fields().
[[nodiscard]] constexpr std::size_t field_index(FieldName name) {
  return name.place();
}
/// The same for a name that a user gave to an option ("--filter"). Throws UsageError with similar
/// names for an unknown one.
[[nodiscard]] std::size_t asked_field(std::string_view name, std::string_view option);

/// The place from which a row was read.
struct ResultOrigin {
  std::uint32_t file = 0; ///< index into ResultTable::files()
  /// Line in which the row begins, from 1; in a database the row's number.
  std::uint32_t line = 0;
};

/// Many records, stored by columns: each distinct text once, numbers as doubles, no raw times. A
/// row takes about 1.5 kB, a third of a RunRecord, so a hundred thousand rows fit.
class ResultTable {
public:
  ResultTable();
  // Views point into its texts, so only copy() may copy it.
  ResultTable(const ResultTable&) = delete;
  ResultTable& operator=(const ResultTable&) = delete;
  ResultTable(ResultTable&&) = default;
  ResultTable& operator=(ResultTable&&) = default;
  ~ResultTable() = default;
  /// A new table with the same rows.
  [[nodiscard]] ResultTable copy() const;

  /// The file's index for ResultOrigin.
  std::uint32_t add_file(std::filesystem::path file);
  /// Renames the files to "file 1" and so on, because their names may tell whose they are.
  void number_files();
  /// Adds an empty row at the end; returns its index.
  std::size_t add_row(ResultOrigin origin);
  /// Adds a row with all fields of the record; returns its index.
  std::size_t add(const RunRecord& record, ResultOrigin origin = {});
  /// Copies the last row over an earlier one.
  void put_last_at(std::size_t row);
  /// Removes the last row.
  void drop_last();

  /// Sets a field from its text in the form of field_text(); empty: absent. Throws FieldError if a
  /// number is malformed or not finite.
  void set(std::size_t row, std::size_t field, std::string_view text);
  /// The same, or sets a number, which must be one that the field can hold (see FieldValue).
  void set(std::size_t row, std::size_t field, const CellValue& value);

  [[nodiscard]] std::size_t size() const { return origins_.size(); }
  [[nodiscard]] const ResultOrigin& origin(std::size_t row) const { return origins_[row]; }
  [[nodiscard]] const std::vector<std::filesystem::path>& files() const { return files_; }

  /// The value of a text field (or of the seed, whose 64 bits a double cannot hold). The view lives
  /// as long as the table.
  [[nodiscard]] std::string_view text(std::size_t row, std::size_t field) const;
  /// The value of a number field; nullopt if absent.
  [[nodiscard]] std::optional<double> number(std::size_t row, std::size_t field) const;
  /// True if value_text() is not empty.
  [[nodiscard]] bool says(std::size_t row, std::size_t field) const;
  /// The value of any field, in the form of field_text().
  [[nodiscard]] std::string value_text(std::size_t row, std::size_t field) const;
  /// An id that is equal for equal texts of one field; a cheap key for grouping.
  [[nodiscard]] std::uint32_t text_id(std::size_t row, std::size_t field) const;

  /// The same by name.
  [[nodiscard]] std::string_view text(std::size_t row, FieldName name) const {
    return text(row, name.place());
  }
  [[nodiscard]] std::optional<double> number(std::size_t row, FieldName name) const {
    return number(row, name.place());
  }

private:
  void make_room();
  [[nodiscard]] std::uint32_t pooled(std::string_view text);
  /// The same for a column. Neighbouring rows mostly share a text, so this tries their texts first.
  [[nodiscard]] std::uint32_t place_of(std::size_t row, std::size_t field, std::string_view text);

  struct Column {
    bool is_text = false;
    bool is_integer = false;
    // Longer than the number of rows; the surplus is empty and absent.
    std::vector<std::uint32_t> texts; ///< places in pool_; 0 is the empty text
    std::vector<double> numbers;      ///< NaN: absent (a record's own NaN is absent too)
  };
  std::vector<Column> columns_; ///< in the order of record_fields()
  std::vector<ResultOrigin> origins_;
  std::vector<std::filesystem::path> files_;
  std::size_t room_ = 0;                                       ///< rows that fit the columns
  std::deque<std::string> texts_;                              ///< never moves its elements
  std::vector<std::string_view> pool_;                         ///< of texts_, by place
  std::unordered_map<std::string_view, std::uint32_t> places_; ///< of pool_
};

} // namespace sdbench
