#include "sdbench/front/report/report_files.h"

#include <algorithm>
#include <iterator>
#include <system_error>

#include "sdbench/base/errors/error.h"
#include "sdbench/base/text/in_quotes.h"
#include "sdbench/front/report/telemetry_series.h"

namespace sdbench {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> telemetry_in(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code failure;
  for (fs::directory_iterator entry(folder, failure), end; !failure && entry != end;
       entry.increment(failure)) {
    std::error_code unknown;
    if (entry->is_regular_file(unknown) && is_telemetry_file(entry->path())) {
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
    if (fs::is_directory(status)) {
      files.results.push_back(path); // its other files are skipped, as everywhere
      std::ranges::copy(telemetry_in(path), std::back_inserter(files.telemetry));
    } else {
      (is_telemetry_file(path) ? files.telemetry : files.results).push_back(path);
    }
  }
  return files;
}

} // namespace sdbench
