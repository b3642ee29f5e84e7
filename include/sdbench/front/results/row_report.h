#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sdbench/front/record/cell_value.h"
#include "sdbench/front/record/raw_times.h"
#include "sdbench/front/record/run_record.h"
#include "sdbench/front/results/bad_row.h"

namespace sdbench {

/// Makes a record from these values and times. Throws FieldError for a value that its field cannot
/// hold.
[[nodiscard]] RunRecord record_of_row(std::span<const FieldValue> row, RawTimes raw);

/// Receives the rows of files.
class RowTarget {
public:
  virtual ~RowTarget() = default;
  /// The next rows are from this file.
  virtual void begin_file(const std::filesystem::path& file) = 0;
  /// Adds a row; other fields are as in an empty record. Throws FieldError for a value that its
  /// field cannot hold, and then adds nothing.
  virtual void add(std::span<const FieldValue> row, RawTimes raw, std::size_t line) = 0;
  virtual void add(RunRecord record, std::size_t line) = 0;
};

/// Receives what the reader of a file finds. Passes rows to a target, with ids and meanings of the
/// current version, and collects bad rows in a list. The list is kept short, because every line of
/// a file that holds no records could be bad.
class RowReport {
public:
  RowReport(RowTarget& target, std::filesystem::path file)
      : target_(target), file_(std::move(file)) {
    target_.begin_file(file_);
  }

  /// Adds a row, which must have a run_id and a status. A row without them, or one that the target
  /// refuses, is bad.
  void add(std::span<const FieldValue> row, RawTimes raw, std::size_t line);
  void add(RunRecord record, std::size_t line);
  /// Adds the row as add() does, but returns false and reports nothing if it is bad.
  [[nodiscard]] bool try_add(std::span<const FieldValue> row, RawTimes raw, std::size_t line);
  void bad(std::size_t line, std::string reason, std::string column = "");
  /// Reports a row that was read, but may be damaged or contradicts itself. Adds nothing for a bad
  /// row.
  void doubt(std::size_t line, std::string reason);
  /// The file has our form, whatever its rows are.
  void has_our_form() { ours_ = true; }

  /// True: raw times are always needed, because they must not contradict the row's columns.
  [[nodiscard]] static bool wants_raw_times() { return true; }
  [[nodiscard]] bool is_ours() const { return ours_; }
  /// Bad rows by line. If there are too many to list, the last entry stands for the rest.
  [[nodiscard]] std::vector<BadRow> take_bad();
  [[nodiscard]] std::vector<BadRow> take_doubtful();

private:
  [[nodiscard]] std::span<const FieldValue> flagged(std::span<const FieldValue> row,
                                                    std::string_view flags);
  void give(std::span<const FieldValue> row, RawTimes raw, std::size_t line);

  RowTarget& target_;
  std::filesystem::path file_;
  bool ours_ = false;
  std::vector<BadRow> bad_;
  std::size_t last_bad_line_ = 0; ///< lines count from 1
  std::vector<BadRow> doubtful_;
  std::size_t unnamed_ = 0;
  std::size_t unnamed_doubts_ = 0;
  std::vector<FieldValue> row_; ///< the current row, with changed flags
};

} // namespace sdbench
