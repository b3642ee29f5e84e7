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

/// A format of records; a new format is one more entry. Includes each form of tables whose files
/// can name their rows (see ViewForm).
struct RecordFormat {
  std::string_view name;      ///< of --format, for text formats: "csv"
  std::string_view extension; ///< of -o FILE: ".csv"; empty: only for the terminal
  /// Records as a whole document.
  std::function<std::string(std::span<const RunRecord>)> document;
  /// For formats that grow by whole lines, so that rows can be appended; else null.
  std::string (*header)() = nullptr;
  std::string (*row)(const RunRecord& record) = nullptr;
  RowEnd row_end = RowEnd::kLine;
  bool is_text = true; ///< false: only for files
  bool keeps_raw_times = false;
  const ViewForm* form = nullptr; ///< for tables for people, from which no record can be read

  [[nodiscard]] bool is_of_files() const { return !extension.empty(); }
  /// True if new rows are appended to a file; other files are replaced as a whole.
  [[nodiscard]] bool grows() const { return row != nullptr || !is_text; }
  /// True if --resume can read such a file.
  [[nodiscard]] bool holds_records() const { return is_of_files() && form == nullptr; }
};

[[nodiscard]] std::span<const RecordFormat> record_formats();
/// "table, csv or json": the formats of --format.
[[nodiscard]] std::string format_names();
/// ".csv, .json or .db": the extensions of file formats for which `is_meant` is true (null: all).
/// An empty `before_last` puts commas everywhere.
[[nodiscard]] std::string format_endings(std::string_view before_last,
                                         bool (*is_meant)(const RecordFormat&) = nullptr);

/// A run's id for the first line of a file for people. Escapes blanks, line ends and ends of
/// comments, which would end the id, as "%20"; they occur only in foreign files.
[[nodiscard]] std::string id_in_mark(std::string_view run_id);
/// The contents of a file of a format.
[[nodiscard]] std::string file_document(const RecordFormat& format,
                                        std::span<const RunRecord> records);
/// Finds a format; throws UsageError with the known names.
[[nodiscard]] const RecordFormat& format_by_name(const std::string& name);
/// Finds the format for the extension of an output file. Throws UsageError with the possible
/// extensions.
[[nodiscard]] const RecordFormat& format_by_extension(const std::filesystem::path& file);

} // namespace sdbench
