#include "sdbench/front/sink/record_format.h"

#include <algorithm>
#include <cctype>
#include <vector>

#include "sdbench/base/errors/error.h"
#include "sdbench/base/errors/suggestion.h"
#include "sdbench/base/files/file_ending.h"
#include "sdbench/base/files/own_file.h"
#include "sdbench/base/text/in_quotes.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/front/database/record_database.h"
#include "sdbench/front/record/record_csv.h"
#include "sdbench/front/record/record_json.h"
#include "sdbench/front/words/record_blocks.h"
#include "sdbench/front/words/record_table.h"

namespace sdbench {
namespace {

/// The document of a format that grows by lines: its header and rows.
std::string lines_document(std::span<const RunRecord> records, const std::string& header,
                           std::string (*row)(const RunRecord&)) {
  std::string text = header;
  for (const RunRecord& record : records) {
    text += row(record);
  }
  return text;
}

std::string csv_document(std::span<const RunRecord> records) {
  return lines_document(records, csv_header(), to_csv_row);
}

std::string json_lines_document(std::span<const RunRecord> records) {
  return lines_document(records, "", to_json_line);
}

std::string no_header() {
  return {};
}

std::string plain_table(std::span<const RunRecord> records) {
  return to_record_blocks(records, false);
}

RecordFormat format_of(const ViewForm& form) {
  RecordFormat format;
  format.name = form.name;
  format.extension = form.extension;
  format.document = [&form](std::span<const RunRecord> records) {
    return form.text({.command = "run", .head = "", .tables = {record_table(records)}});
  };
  format.form = &form;
  return format;
}

std::vector<RecordFormat> all_formats() {
  std::vector<RecordFormat> formats = {
      {.name = "table", .extension = "", .document = plain_table},
      {.name = "csv",
       .extension = ".csv",
       .document = csv_document,
       .header = csv_header,
       .row = to_csv_row,
       .row_end = RowEnd::kUnquotedLine},
      {.name = "json", .extension = ".json", .document = to_json_document, .keeps_raw_times = true},
      {.name = "jsonl",
       .extension = ".jsonl",
       .document = json_lines_document,
       .header = no_header,
       .row = to_json_line,
       .keeps_raw_times = true}};
  for (const ViewForm& form : view_forms()) {
    if (form.comment) {
      formats.push_back(format_of(form));
    }
  }
  formats.push_back({.name = "db",
                     .extension = ".db",
                     .document = database_document,
                     .is_text = false,
                     .keeps_raw_times = true});
  return formats;
}

std::vector<std::string> names_of_text() {
  return mapped_if<std::string>(record_formats(), &RecordFormat::is_text, &RecordFormat::name);
}

} // namespace

std::span<const RecordFormat> record_formats() {
  static const std::vector<RecordFormat> formats = all_formats();
  return formats;
}

std::string format_names() {
  return listed(names_of_text());
}

std::string format_endings(std::string_view before_last, bool (*is_meant)(const RecordFormat&)) {
  const auto is_named = [is_meant](const RecordFormat& format) {
    return format.is_of_files() && (is_meant == nullptr || is_meant(format));
  };
  return listed(mapped_if<std::string>(record_formats(), is_named, &RecordFormat::extension),
                before_last);
}

std::string record_endings(std::string_view before_last) {
  return format_endings(before_last,
                        [](const RecordFormat& format) { return format.holds_records(); });
}

std::string id_in_mark(std::string_view run_id) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string text;
  for (const char letter : run_id) {
    const auto byte = static_cast<unsigned char>(letter);
    const bool is_plain = (std::isalnum(byte) != 0 && byte < 0x80) || letter == '_' ||
                          letter == '.' ||
                          (letter == '-' && !text.ends_with('-')); // "--" would end a comment
    if (is_plain) {
      text += letter;
    } else {
      text += {'%', kHex[byte >> 4U], kHex[byte & 0xfU]};
    }
  }
  return text;
}

std::string file_document(const RecordFormat& format, std::span<const RunRecord> records) {
  std::string mark;
  if (format.form != nullptr) {
    const auto run_ids =
        mapped(records, [](const RunRecord& record) { return id_in_mark(record.run_id); });
    mark = file_mark(*format.form->comment, "run", joined(run_ids, " "));
  }
  return mark + format.document(records);
}

const RecordFormat& format_by_name(const std::string& name) {
  const auto formats = record_formats();
  const auto found = std::ranges::find_if(
      formats, [&](const RecordFormat& format) { return format.is_text && format.name == name; });
  if (found == formats.end()) {
    throw UsageError("--format must be " + format_names() + ", but is " + in_quotes(name) +
                     did_you_mean(name, names_of_text()));
  }
  return *found;
}

const RecordFormat& format_by_extension(const std::filesystem::path& file) {
  const std::string extension = file_ending(file);
  const auto formats = record_formats();
  const auto found = std::ranges::find_if(formats, [&](const RecordFormat& format) {
    return format.is_of_files() && format.extension == extension;
  });
  if (found != formats.end()) {
    return *found;
  }
  std::string advice = "; write for example -o results.csv";
  for (const RecordFormat& format : formats) {
    if (format.name == file.string()) {
      advice =
          format.is_text ? "; write --format " + file.string() + " to see it, or " : "; write ";
      advice +=
          !format.is_of_files() ? "-o results.csv" : "-o results" + std::string(format.extension);
      advice += " to keep it";
    }
  }
  throw UsageError("--output must be a file that ends in " + format_endings("or") + ", but is " +
                   in_quotes(file.string()) + advice);
}

} // namespace sdbench
