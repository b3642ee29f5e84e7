#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "sdbench/front/record/run_record.h"
#include "sdbench/front/results/row_ends.h"
#include "sdbench/front/words/view_forms.h"

namespace sdbench {

/// An output format for records. A new text format needs only one more entry in record_formats().
/// These include every ViewForm (a form of tables for people) whose files can list the ids of their
/// rows.
struct RecordFormat {
  std::string_view name;      ///< name for --format, if it is a text format: "csv"
  std::string_view extension; ///< extension for -o FILE: ".csv"; empty: only for the terminal
  /// Formats records as a complete document.
  std::function<std::string(std::span<const RunRecord>)> document;
  /// Header and row as whole lines, for formats to which rows can be appended; else both null.
  std::string (*header)() = nullptr;
  std::string (*row)(const RunRecord& record) = nullptr;
  RowEnd row_end = RowEnd::kLine;
  bool is_text = true; ///< false: a binary format, only for files
  bool keeps_raw_times = false;
  const ViewForm* form = nullptr; ///< set for tables for people, which sdbench cannot read back

  [[nodiscard]] bool is_of_files() const { return !extension.empty(); }
  /// True if new rows are appended to the file; false if the whole file is rewritten.
  [[nodiscard]] bool grows() const { return row != nullptr || !is_text; }
  /// True if --resume can read such a file.
  [[nodiscard]] bool holds_records() const { return is_of_files() && form == nullptr; }
};

[[nodiscard]] std::span<const RecordFormat> record_formats();
/// The names that --format accepts: "table, csv or json".
[[nodiscard]] std::string format_names();
/// The extensions of those file formats for which `is_meant` is true (null: all), in one text.
/// `before_last` is the word before the last one: "or" gives ".csv, .json or .db". If it is empty,
/// there are only commas.
[[nodiscard]] std::string format_endings(std::string_view before_last,
                                         bool (*is_meant)(const RecordFormat&) = nullptr);
/// The extensions of files that sdbench can read back, in the same form.
[[nodiscard]] std::string record_endings(std::string_view before_last);

/// A run_id in the form in which the first line of a table for people lists it. Blanks, line ends
/// and ends of comments would end the id, so they are escaped like "%20". Such characters occur
/// only in ids from other programs.
[[nodiscard]] std::string id_in_mark(std::string_view run_id);
/// The complete contents of a file in this format.
[[nodiscard]] std::string file_document(const RecordFormat& format,
                                        std::span<const RunRecord> records);
/// Finds a format by name. Throws UsageError that lists the known names.
[[nodiscard]] const RecordFormat& format_by_name(const std::string& name);
/// Finds the format for an output file by its extension. Throws UsageError that lists the possible
/// extensions.
[[nodiscard]] const RecordFormat& format_by_extension(const std::filesystem::path& file);

} // namespace sdbench
