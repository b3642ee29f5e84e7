#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "sdbench/record/run_record.h"
#include "sdbench/results/row_ends.h"

namespace sdbench {

/// A form of records, as data: a new format is one more entry.
struct RecordFormat {
  std::string_view name;      ///< of --format, for those that are text: "csv"
  std::string_view extension; ///< of -o FILE: ".csv"; empty: for the terminal alone
  /// Records as a whole document.
  std::string (*document)(std::span<const RunRecord> records);
  /// Formats that grow by whole lines, so that rows can be appended; null for the others.
  std::string (*header)();
  std::string (*row)(const RunRecord& record);
  RowEnd row_end = RowEnd::kLine;
  bool is_text = true; ///< what is not goes to files alone
  /// The first line of a file by which it is known as ours; null where its rows say so.
  std::string (*mark)(std::span<const RunRecord> records) = nullptr;
};

[[nodiscard]] std::span<const RecordFormat> record_formats();
/// What a file of a format holds.
[[nodiscard]] std::string file_document(const RecordFormat& format,
                                        std::span<const RunRecord> records);
/// Throws UsageError with the known names.
[[nodiscard]] const RecordFormat& format_by_name(const std::string& name);
/// By the extension of an output file. Throws UsageError that says what to write instead.
[[nodiscard]] const RecordFormat& format_by_extension(const std::filesystem::path& file);

} // namespace sdbench
