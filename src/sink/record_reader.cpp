#include "sdbench/sink/record_reader.h"

#include <map>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "sdbench/core/file_ending.h"
#include "sdbench/core/json_io.h"
#include "sdbench/database/database_rows.h"
#include "sdbench/record/record_csv.h"
#include "sdbench/record/record_json.h"
#include "sdbench/sink/row_ends.h"

namespace sdbench {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostBytes = std::size_t{4} << 30; ///< a JSON row has all raw times

/// Without a last row that was cut off: the next row will move it away (AppendFile).
std::string_view whole_rows(std::string_view text, RowEnd row_end) {
  RowEnds ends(row_end);
  ends.append(text);
  const std::string_view rest = text.substr(ends.whole());
  return is_whole_row(rest, row_end) ? text : text.substr(0, ends.whole());
}

std::vector<RunRecord> read_file(const fs::path& file) {
  const std::string extension = file_ending(file);
  if (extension == ".db") {
    return records_from_database(file);
  }
  const std::string text = read_text_file(file, kMostBytes);
  if (text.empty()) {
    return {};
  }
  if (extension == ".csv") {
    return records_from_csv(whole_rows(text, RowEnd::kUnquotedLine), file.string());
  }
  return extension == ".json"
             ? records_from_json(text, file.string())
             : records_from_json_lines(std::string(whole_rows(text, RowEnd::kLine)), file.string());
}

} // namespace

bool keeps_records(const fs::path& file) {
  const std::string extension = file_ending(file);
  return extension == ".csv" || extension == ".jsonl" || extension == ".json" || extension == ".db";
}

std::vector<RunRecord> read_records(const std::vector<fs::path>& files) {
  std::vector<RunRecord> records;
  std::map<std::string, std::size_t> places; // by run_id
  std::error_code missing;
  for (const fs::path& file : files) {
    if (!keeps_records(file) || !fs::exists(file, missing)) {
      continue;
    }
    for (RunRecord& record : read_file(file)) {
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
