#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "sdbench/base/record/run_record.h"
#include "sdbench/front/results/row_ends.h"
#include "sdbench/front/words/view_forms.h"

namespace sdbench {

/// A form of records, as data: a new format is one more entry. Each form of tables whose files can
/// say whose rows they hold is one of them (see ViewForm).
struct RecordFormat {
  std::string_view name;      ///< of --format, for those that are text: "csv"
  std::string_view extension; ///< of -o FILE: ".csv"; empty: for the terminal alone
  /// Records as a whole document.
  std::function<std::string(std::span<const RunRecord>)> document;
  /// Formats that grow by whole lines, so that rows can be appended; null for the others.
  std::string (*header)() = nullptr;
  std::string (*row)(const RunRecord& record) = nullptr;
  RowEnd row_end = RowEnd::kLine;
  bool is_text = true; ///< what is not goes to files alone
  bool keeps_raw_times = false;
  const ViewForm* form = nullptr; ///< of a table for people: no record is read from it

  [[nodiscard]] bool is_of_files() const { return !extension.empty(); }
  /// A file of it gets new rows behind its old ones; others are replaced whole.
  [[nodiscard]] bool grows() const { return row != nullptr || !is_text; }
  /// Whether --resume can read a file of it.
  [[nodiscard]] bool holds_records() const { return is_of_files() && form == nullptr; }
};

[[nodiscard]] std::span<const RecordFormat> record_formats();
/// "table, csv or json": those of --format.
[[nodiscard]] std::string format_names();
/// ".csv, .json or .db": of files, where `is_meant` (may be null: all) says so. An empty
/// `before_last` leaves commas alone.
[[nodiscard]] std::string format_endings(std::string_view before_last,
                                         bool (*is_meant)(const RecordFormat&) = nullptr);

/// How a run's id stands in the first line of a file for people, which ends at a blank, a line end
/// or the end of a comment: those, of a foreign file's ids, as "%20".
[[nodiscard]] std::string id_in_mark(std::string_view run_id);
/// What a file of a format holds.
[[nodiscard]] std::string file_document(const RecordFormat& format,
                                        std::span<const RunRecord> records);
/// Throws UsageError with the known names.
[[nodiscard]] const RecordFormat& format_by_name(const std::string& name);
/// By the extension of an output file. Throws UsageError that says what to write instead.
[[nodiscard]] const RecordFormat& format_by_extension(const std::filesystem::path& file);

} // namespace sdbench
