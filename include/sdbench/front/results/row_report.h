#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sdbench/base/record/raw_times.h"
#include "sdbench/base/record/run_record.h"
#include "sdbench/front/results/bad_row.h"
#include "sdbench/front/results/field_value.h"

namespace sdbench {

/// A record of these values and times. Throws FieldError for a value that its field cannot hold.
[[nodiscard]] RunRecord record_of_row(std::span<const FieldValue> row, RawTimes raw);

/// Takes the rows of files.
class RowTarget {
public:
  virtual ~RowTarget() = default;
  /// What comes next is of this file.
  virtual void begin_file(const std::filesystem::path& file) = 0;
  /// Adds a row; fields that are not named are as in an empty record. Throws FieldError for a value
  /// that its field cannot hold, and adds nothing then.
  virtual void add(std::span<const FieldValue> row, RawTimes raw, std::size_t line) = 0;
  virtual void add(RunRecord record, std::size_t line) = 0;
};

/// What the reader of a file tells: rows, with ids and meanings of today, to a target, and what is
/// none to a list, which is kept short: a file that is no record at all could be bad in each of its
/// lines.
class RowReport {
public:
  RowReport(RowTarget& target, std::filesystem::path file)
      : target_(target), file_(std::move(file)) {
    target_.begin_file(file_);
  }

  /// A row that says which run it is and how that ended. Any other, or one that the target refuses,
  /// is a bad one.
  void add(std::span<const FieldValue> row, RawTimes raw, std::size_t line);
  void add(RunRecord record, std::size_t line);
  /// False, and nothing is told, where add() would tell a bad one.
  [[nodiscard]] bool try_add(std::span<const FieldValue> row, RawTimes raw, std::size_t line);
  void bad(std::size_t line, std::string reason, std::string column = "");
  /// A row that was read, but may not be as it was written, or contradicts itself. Of one that is
  /// bad nothing is added.
  void doubt(std::size_t line, std::string reason);
  /// The file has the form of ours, whatever its rows are.
  void has_our_form() { ours_ = true; }

  /// The raw times of each row, whoever keeps them: they must not contradict its columns.
  [[nodiscard]] static bool wants_raw_times() { return true; }
  [[nodiscard]] bool is_ours() const { return ours_; }
  /// In order of their lines, the last one for all that are too many to be named.
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
  std::vector<FieldValue> row_; ///< in hand, with other flags than it came with
};

} // namespace sdbench
