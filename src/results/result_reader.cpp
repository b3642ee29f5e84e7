// A stand-in until the reader that names each bad row is merged: it passes over a whole bad file.
#include "sdbench/results/result_reader.h"

#include "sdbench/core/error.h"
#include "sdbench/core/in_quotes.h"
#include "sdbench/sink/record_reader.h"

namespace sdbench {

std::string BadRow::text() const {
  return file.string() + (line > 0 ? ", line " + std::to_string(line) : "") +
         (column.empty() ? "" : ", column " + column) + ": " + reason;
}

Results read_results(const std::vector<std::filesystem::path>& paths, const ReadOptions& options) {
  Results results;
  for (const std::filesystem::path& path : paths) {
    if (!std::filesystem::exists(path)) {
      throw UsageError("there must be a file " + in_quotes(path.string()) + ", but is none");
    }
  }
  for (const std::filesystem::path& path : paths) {
    try {
      const std::uint32_t file = results.table.add_file(path);
      std::uint32_t line = 0;
      for (RunRecord& record : read_records({path})) {
        ++line;
        RawTimes& raw = results.raw[record.run_id];
        if (options.raw_times && raw.samples.empty()) {
          raw = {record.first_image, record.samples};
        }
        bool is_known = false;
        for (std::size_t row = 0; row < results.table.size(); ++row) {
          is_known = is_known || results.table.text(row, "run_id") == record.run_id;
        }
        if (!is_known) {
          results.table.add(record, {file, line});
        }
      }
    } catch (const Error& error) {
      results.bad.push_back({path, 0, "", error.what()});
    }
  }
  return results;
}

} // namespace sdbench
