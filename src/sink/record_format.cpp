#include "sdbench/sink/record_format.h"

#include <algorithm>
#include <vector>

#include "sdbench/core/error.h"
#include "sdbench/core/file_ending.h"
#include "sdbench/core/in_quotes.h"
#include "sdbench/core/own_file.h"
#include "sdbench/core/suggestion.h"
#include "sdbench/database/record_database.h"
#include "sdbench/record/record_csv.h"
#include "sdbench/record/record_json.h"
#include "sdbench/words/markdown_form.h"
#include "sdbench/words/record_table.h"
#include "sdbench/words/table.h"

namespace sdbench {
namespace {

/// A header and rows: the document of a format that grows by lines.
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

std::string markdown_document(std::span<const RunRecord> records) {
  return to_markdown({.command = "run", .head = "", .tables = {record_table(records)}});
}

std::string markdown_mark_of(std::span<const RunRecord> records) {
  std::string run_ids;
  for (const RunRecord& record : records) {
    run_ids += (run_ids.empty() ? "" : " ") + record.run_id;
  }
  return markdown_mark("run", run_ids);
}

std::string plain_table(std::span<const RunRecord> records) {
  return to_table(records, false);
}

const RecordFormat kFormats[] = {
    {"table", "", plain_table, nullptr, nullptr},
    {"csv", ".csv", csv_document, csv_header, to_csv_row, RowEnd::kUnquotedLine},
    {"json", ".json", to_json_document, nullptr, nullptr},
    {"jsonl", ".jsonl", json_lines_document, no_header, to_json_line},
    {"md", ".md", markdown_document, nullptr, nullptr, RowEnd::kLine, true, markdown_mark_of},
    {"db", ".db", database_document, nullptr, nullptr, RowEnd::kLine, false},
};

} // namespace

std::span<const RecordFormat> record_formats() {
  return kFormats;
}

std::string file_document(const RecordFormat& format, std::span<const RunRecord> records) {
  return (format.mark == nullptr ? "" : format.mark(records)) + format.document(records);
}

const RecordFormat& format_by_name(const std::string& name) {
  std::vector<std::string> names;
  for (const RecordFormat& format : kFormats) {
    if (!format.is_text) {
      continue;
    }
    if (format.name == name) {
      return format;
    }
    names.emplace_back(format.name);
  }
  throw UsageError("--format must be table, csv, json, jsonl or md, but is " + in_quotes(name) +
                   did_you_mean(name, names));
}

const RecordFormat& format_by_extension(const std::filesystem::path& file) {
  const std::string extension = file_ending(file);
  const auto found = std::ranges::find_if(kFormats, [&](const RecordFormat& format) {
    return !format.extension.empty() && format.extension == extension;
  });
  if (found != std::end(kFormats)) {
    return *found;
  }
  std::string advice = "; write for example -o results.csv";
  for (const RecordFormat& format : kFormats) {
    if (format.name == file.string()) {
      advice =
          format.is_text ? "; write --format " + file.string() + " to see it, or " : "; write ";
      advice += format.extension.empty() ? "-o results.csv"
                                         : "-o results" + std::string(format.extension);
      advice += " to keep it";
    }
  }
  throw UsageError("--output must be a file that ends in .csv, .json, .jsonl, .md or .db, but is " +
                   in_quotes(file.string()) + advice);
}

} // namespace sdbench
