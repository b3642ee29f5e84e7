#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sdbench/front/record/cell_value.h"
#include "sdbench/front/record/field_name.h"
#include "sdbench/front/record/raw_times.h"
#include "sdbench/front/record/run_record.h"
#include "sdbench/front/results/bad_row.h"

namespace sdbench {

/// Makes a record from a row's values and raw times. Throws FieldError for a value that its field
/// cannot hold.
[[nodiscard]] RunRecord record_of_row(std::span<const FieldValue> row, RawTimes raw);

/// Interface of an object that receives the rows of files.
class RowTarget {
public:
  virtual ~RowTarget() = default;
  /// Called before the rows of this file are added.
  virtual void begin_file(const std::filesystem::path& /*file*/) {}
  /// Adds a row. Fields that are not in `row` have the value that they have in an empty record.
  /// Throws FieldError, and adds nothing, if a field cannot hold its value.
  virtual void add(std::span<const FieldValue> row, RawTimes raw, std::size_t line) = 0;
  virtual void add(RunRecord record, std::size_t line) = 0;
};

/// Fields in which copies of one run's row cannot differ. A copy may be redacted or lack raw times,
/// so a field may be empty.
inline constexpr FieldName kFactsOfARun[] = {"time_utc", "workload_id", "variant_id",
                                             "status",   "unet_it_s",   "e2e_s"};

/// Throws FieldError if a row has the run_id of an earlier row but differs in such a fact. Ignores
/// empty texts.
void check_same_fact(FieldName field, std::string_view earlier, std::string_view later);

/// Receives what a file reader finds. Passes good rows to a target, with the flag kContradicts if
/// they contradict themselves, and lists bad rows. The list has a limited length, because in a file
/// of another kind every line may be bad.
class RowReport {
public:
  RowReport(RowTarget& target, std::filesystem::path file)
      : target_(target), file_(std::move(file)) {
    target_.begin_file(file_);
  }

  /// Adds a row. The row is bad if it lacks a run_id or a status, if this version cannot read a
  /// value, if an amount is negative, or if the target refuses the row.
  void add(std::span<const FieldValue> row, RawTimes raw, std::size_t line);
  void add(RunRecord record, std::size_t line);
  /// Like add(), but if the row is bad, returns false and reports nothing.
  [[nodiscard]] bool try_add(std::span<const FieldValue> row, RawTimes raw, std::size_t line);
  void bad(std::size_t line, std::string reason, std::string column = "");
  /// Adds a remark about a row that was read, but may be damaged or contradicts itself. Has no
  /// effect for a row that is already listed as bad.
  void doubt(std::size_t line, std::string reason);
  /// Notes that the file is one of sdbench's, even if all of its rows are bad.
  void has_our_form() { ours_ = true; }

  [[nodiscard]] bool is_ours() const { return ours_; }
  /// The bad rows, in the order of lines. If there are too many to list, the last entry says how
  /// many others there are.
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
  std::vector<FieldValue> row_; ///< copy of the current row with changed flags
};

} // namespace sdbench
