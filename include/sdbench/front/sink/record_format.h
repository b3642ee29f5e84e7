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
/// record_formats() also has those table formats for people (ViewForm) whose files have a comment
/// that lists the ids of the file's rows.
struct RecordFormat {
  std::string_view name;      ///< "csv"; a name for --format if is_text is true
  std::string_view extension; ///< extension for -o FILE: ".csv"; empty: not for files
  /// Formats records as a complete document.
  std::function<std::string(std::span<const RunRecord>)> document;
  /// Header and row as whole lines, for formats to which rows can be appended; else both null.
  std::string (*header)() = nullptr;
  std::string (*row)(const RunRecord& record) = nullptr;
  RowEnd row_end = RowEnd::kLine;
  bool is_text = true; ///< false: a binary format, only for files
  bool keeps_raw_times = false;
  const ViewForm* form = nullptr; ///< set for a ViewForm, whose files --resume cannot read

  [[nodiscard]] bool is_of_files() const { return !extension.empty(); }
  /// True if new rows are appended to the file; false if the whole file is rewritten.
  [[nodiscard]] bool grows() const { return row != nullptr || !is_text; }
  /// True if --resume can read files of this format.
  [[nodiscard]] bool holds_records() const { return is_of_files() && form == nullptr; }
};

[[nodiscard]] std::span<const RecordFormat> record_formats();
/// The names that --format accepts: "table, csv or json".
[[nodiscard]] std::string format_names();
/// Lists the extensions of the file formats for which `is_meant` is true (null: all) in one text.
/// `before_last` is put before the last extension: "or" gives ".csv, .json or .db"; an empty
/// `before_last` gives ".csv, .json, .db".
[[nodiscard]] std::string format_endings(std::string_view before_last,
                                         bool (*is_meant)(const RecordFormat&) = nullptr);
/// Lists, like format_endings(), the extensions of the formats that --resume can read.
[[nodiscard]] std::string record_endings(std::string_view before_last);

/// Escapes a run_id for a comment: in files of a ViewForm, the first line is a comment that lists
/// the run_ids. Characters that could end the id or the comment become their hexadecimal code: a
/// blank becomes "%20". Only ids from other programs contain such characters.
[[nodiscard]] std::string id_in_mark(std::string_view run_id);
/// The complete contents of a file in this format.
[[nodiscard]] std::string file_document(const RecordFormat& format,
                                        std::span<const RunRecord> records);
/// Finds a format by name. If it is unknown, throws UsageError that lists the known names.
[[nodiscard]] const RecordFormat& format_by_name(const std::string& name);
/// Finds the format for an output file by its extension. If the extension is unknown, throws
/// UsageError that lists the possible ones.
[[nodiscard]] const RecordFormat& format_by_extension(const std::filesystem::path& file);

} // namespace sdbench
