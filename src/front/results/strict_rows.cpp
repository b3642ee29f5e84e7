#include "sdbench/front/results/strict_rows.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <span>
#include <string>
#include <system_error>
#include <utility>

#include "sdbench/base/errors/error.h"
#include "sdbench/base/files/file_ending.h"
#include "sdbench/base/files/json_io.h"
#include "sdbench/front/record/cell_value.h"
#include "sdbench/front/record/raw_times.h"
#include "sdbench/front/results/byte_window.h"
#include "sdbench/front/results/record_files.h"
#include "sdbench/front/results/row_ends.h"
#include "sdbench/front/results/row_report.h"

namespace sdbench {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostBytes = std::size_t{4} << 30; ///< a JSON row has all raw times

class RecordTarget : public RowTarget {
public:
  void add(std::span<const FieldValue> row, RawTimes raw, std::size_t line) override {
    add(record_of_row(row, std::move(raw)), line);
  }
  void add(RunRecord record, std::size_t /*line*/) override {
    record.schema_version = kSchemaVersion; // the version in which it may be written again
    records.push_back(std::move(record));
  }

  std::vector<RunRecord> records;
};

void refuse(const std::vector<BadRow>& bad) {
  if (!bad.empty()) {
    throw Error(bad.front().text());
  }
}

/// The text without a last row that was cut off. AppendFile moves that away with the next row.
std::string_view whole_rows(std::string_view text, const fs::path& file) {
  const std::string ending = file_ending(file);
  if (ending != ".csv" && ending != ".jsonl") {
    return text;
  }
  const RowEnd row_end = ending == ".csv" ? RowEnd::kUnquotedLine : RowEnd::kLine;
  RowEnds ends(row_end);
  ends.append(text);
  return is_whole_row(text.substr(ends.whole()), row_end) ? text : text.substr(0, ends.whole());
}

std::vector<RunRecord> rows_of_text(std::string_view text, const fs::path& file,
                                    std::vector<BadRow>& bad) {
  RecordTarget target;
  RowReport report(target, file);
  ByteWindow window(text_source(whole_rows(text, file)));
  read_record_text(window, file, report);
  std::ranges::move(report.take_bad(), std::back_inserter(bad));
  return std::move(target.records);
}

std::vector<RunRecord> rows_of_file(const fs::path& file, std::vector<BadRow>& bad) {
  if (is_text_of_records(file)) {
    return rows_of_text(read_text_file(file, kMostBytes), file, bad);
  }
  RecordTarget target;
  RowReport report(target, file);
  read_record_file(file, report);
  std::ranges::move(report.take_bad(), std::back_inserter(bad));
  return std::move(target.records);
}

} // namespace

std::vector<RunRecord> records_of_text(std::string_view text, const fs::path& file) {
  std::vector<BadRow> bad;
  std::vector<RunRecord> records = rows_of_text(text, file, bad);
  refuse(bad);
  return records;
}

std::vector<RunRecord> read_records(const std::vector<fs::path>& files) {
  std::vector<BadRow> bad;
  std::vector<RunRecord> records = readable_records(files, bad);
  refuse(bad);
  return records;
}

std::vector<RunRecord> readable_records(const std::vector<fs::path>& files,
                                        std::vector<BadRow>& bad) {
  std::vector<RunRecord> records;
  std::map<std::string, std::size_t> places; // by run_id
  std::error_code missing;
  for (const fs::path& file : files) {
    if (!keeps_records(file) || !fs::exists(file, missing)) {
      continue;
    }
    for (RunRecord& record : rows_of_file(file, bad)) {
      const auto [place, is_new] = places.try_emplace(record.run_id, records.size());
      if (is_new) {
        records.push_back(std::move(record));
      } else if (records[place->second].samples.empty()) {
        records[place->second] = std::move(record);
      }
    }
  }
  return records;
}

} // namespace sdbench
