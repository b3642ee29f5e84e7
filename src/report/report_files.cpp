#include "sdbench/report/report_files.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "sdbench/core/error.h"
#include "sdbench/core/in_quotes.h"
#include "sdbench/report/telemetry_series.h"

namespace sdbench {
namespace {

namespace fs = std::filesystem;

bool may_hold_results(const fs::path& file) {
  constexpr std::array<std::string_view, 5> kExtensions = {".csv", ".json", ".jsonl", ".db",
                                                           ".sqlite"};
  return std::ranges::find(kExtensions, file.extension().string()) != kExtensions.end();
}

std::vector<fs::path> files_in(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code failure;
  for (fs::directory_iterator entry(folder, failure), end; !failure && entry != end;
       entry.increment(failure)) {
    std::error_code unknown;
    if (entry->is_regular_file(unknown) && may_hold_results(entry->path())) {
      files.push_back(entry->path());
    }
  }
  if (failure) {
    throw Error("cannot read the folder " + in_quotes(folder.string()) + ": " + failure.message());
  }
  std::ranges::sort(files);
  return files;
}

} // namespace

ReportFiles tell_apart(const std::vector<fs::path>& paths) {
  ReportFiles files;
  for (const fs::path& path : paths) {
    std::error_code failure;
    const fs::file_status status = fs::status(path, failure);
    if (!fs::exists(status)) {
      throw UsageError(
          "FILES must name result files or folders of them, but " + in_quotes(path.string()) +
          (status.type() == fs::file_type::not_found ? " is not there" : ": " + failure.message()));
    }
    for (const fs::path& file :
         fs::is_directory(status) ? files_in(path) : std::vector<fs::path>{path}) {
      (is_telemetry_file(file) ? files.telemetry : files.results).push_back(file);
    }
  }
  return files;
}

} // namespace sdbench
