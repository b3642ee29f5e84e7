#include "sdbench/front/report/telemetry_series.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <ios>
#include <map>
#include <optional>
#include <system_error>
#include <utility>

#include "sdbench/base/errors/error.h"
#include "sdbench/base/files/file_ending.h"
#include "sdbench/base/files/json_io.h"
#include "sdbench/base/numbers/number_text.h"
#include "sdbench/base/text/in_quotes.h"
#include "sdbench/front/record/csv_text.h"

namespace sdbench {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFirstColumns = "time_s,time_utc,run_id,cell_id,phase,device,uuid,";
constexpr std::size_t kMostBeforeHeader = 16; ///< a byte order mark and "sep=;"
constexpr std::size_t kMostTelemetryBytes = std::size_t{4} << 30;

/// Places of the columns that we read.
struct Columns {
  std::size_t count = 0;
  std::size_t time_s = 0;
  std::size_t run_id = 0;
  std::size_t phase = 0;
  std::size_t device = 0;
  std::size_t uuid = 0;
  std::size_t throttle = 0;
  std::array<std::size_t, kDrawnSensors.size()> sensors{};
};

Columns columns_of(const std::vector<std::string>& header) {
  const auto place = [&](std::string_view name) {
    const auto found = std::ranges::find(header, name);
    if (found == header.end()) {
      throw Error("the header must have the column " + std::string(name) + ", but has not");
    }
    return static_cast<std::size_t>(found - header.begin());
  };
  Columns columns{header.size(),   place("time_s"), place("run_id"),           place("phase"),
                  place("device"), place("uuid"),   place("throttle_reasons"), {}};
  std::ranges::transform(kDrawnSensors, columns.sensors.begin(), place);
  return columns;
}

/// The form in which a spreadsheet may have saved a file: with a byte order mark and a line that
/// names the separator before the header, and with semicolons or tabs and decimal commas.
struct Form {
  std::size_t begin = 0; ///< place of the header
  char separator = ',';
};

/// The form of a file that begins with `text`; nothing if it is not telemetry.
std::optional<Form> form_of(std::string_view text) {
  constexpr std::string_view kMark = "\xef\xbb\xbf";
  Form form;
  form.begin = text.starts_with(kMark) ? kMark.size() : 0;
  if (text.substr(form.begin).starts_with("sep=")) {
    form.begin = std::min(text.find('\n', form.begin), text.size() - 1) + 1;
  }
  for (const char separator : {',', ';', '\t'}) {
    std::string columns(kFirstColumns);
    std::ranges::replace(columns, ',', separator);
    if (text.substr(form.begin).starts_with(columns)) {
      form.separator = separator;
      return form;
    }
  }
  return std::nullopt;
}

/// The text as sdbench wrote it, with commas between fields and points in numbers. Fields of
/// telemetry have separators only in quotes.
std::string as_written(std::string plain, const Form& form) {
  plain.erase(0, form.begin);
  if (form.separator == ',') {
    return plain;
  }
  bool in_quotes = false;
  for (char& letter : plain) {
    in_quotes ^= letter == '"';
    if (!in_quotes && letter == ',') {
      letter = '.';
    } else if (!in_quotes && letter == form.separator) {
      letter = ',';
    }
  }
  return plain;
}

/// The end of the row that begins at `from`: its line end outside of quotes, or the text's end.
std::size_t row_end(std::string_view text, std::size_t from) {
  bool in_quotes = false;
  for (std::size_t i = from; i < text.size(); ++i) {
    in_quotes ^= text[i] == '"';
    if (text[i] == '\n' && !in_quotes) {
      return i + 1;
    }
  }
  return text.size();
}

double sensor_value(const std::string& text) {
  if (text.empty()) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  const auto value = parse_number(text);
  if (!value || !std::isfinite(*value)) {
    throw Error("a sensor's value must be a number, but is " + in_quotes(text));
  }
  return *value;
}

TelemetryPoint point_of(const std::vector<std::string>& row, const Columns& columns) {
  TelemetryPoint point;
  const auto time = parse_number(row[columns.time_s]);
  if (!time || !std::isfinite(*time)) {
    throw Error("time_s must be a number, but is " + in_quotes(row[columns.time_s]));
  }
  point.time_s = *time;
  point.phase = row[columns.phase];
  point.throttle_reasons = row[columns.throttle];
  for (std::size_t i = 0; i < columns.sensors.size(); ++i) {
    point.values[i] = sensor_value(row[columns.sensors[i]]);
  }
  return point;
}

/// Gathers the samples by run_id and device.
class Gatherer {
public:
  explicit Gatherer(const std::unordered_set<std::string>& run_ids) : run_ids_(run_ids) {}

  void read(const fs::path& file) {
    std::string text = read_text_file(file, kMostTelemetryBytes);
    const Form form = form_of(text).value_or(Form());
    std::size_t line =
        1 + static_cast<std::size_t>(std::count(
                text.begin(), text.begin() + static_cast<std::ptrdiff_t>(form.begin), '\n'));
    text = as_written(std::move(text), form);
    std::optional<Columns> columns;
    bool has_complained = false;
    for (std::size_t from = 0; from < text.size();) {
      const std::size_t end = row_end(text, from);
      const std::string_view row = std::string_view(text).substr(from, end - from);
      try {
        take(parse_csv(row).at(0), columns);
      } catch (const Error& error) {
        if (!std::exchange(has_complained, true)) {
          files_.bad.push_back(file.string() + ", line " + std::to_string(line) + ": " +
                               error.what());
        }
        if (!columns) {
          return; // without a header no row can be read
        }
      }
      line += static_cast<std::size_t>(std::ranges::count(row, '\n'));
      from = end;
    }
  }

  TelemetryFiles result(std::size_t most_points) {
    std::size_t total = 0;
    for (const TelemetrySeries& series : files_.series) {
      total += series.count;
    }
    const std::size_t stride = total / std::max<std::size_t>(1, most_points) + 1;
    for (TelemetrySeries& series : files_.series) {
      thin(series.points, stride);
    }
    files_.foreign_runs = foreign_.size();
    return std::move(files_);
  }

private:
  void take(const std::vector<std::string>& row, std::optional<Columns>& columns) {
    if (!columns) {
      columns = columns_of(row);
      return;
    }
    if (row.size() != columns->count) {
      throw Error("a row must have " + std::to_string(columns->count) + " fields, but has " +
                  std::to_string(row.size()));
    }
    const std::string& run_id = row[columns->run_id];
    if (run_id.empty()) {
      return;
    }
    if (!run_ids_.contains(run_id)) {
      foreign_.insert(run_id);
      return;
    }
    const auto [place, is_new] =
        places_.try_emplace({run_id, row[columns->device]}, files_.series.size());
    if (is_new) {
      files_.series.push_back({run_id, row[columns->device], row[columns->uuid], 0, {}});
    }
    TelemetrySeries& series = files_.series[place->second];
    TelemetryPoint point = point_of(row, *columns);
    if (!series.points.empty() && point.time_s < series.points.back().time_s) {
      return; // time goes on within a run, so this is a copy of the file
    }
    series.points.push_back(std::move(point));
    ++series.count;
  }

  static void thin(std::vector<TelemetryPoint>& points, std::size_t stride) {
    std::vector<TelemetryPoint> kept;
    for (std::size_t i = 0; i < points.size(); ++i) {
      const bool changes =
          !kept.empty() && kept.back().throttle_reasons != points[i].throttle_reasons;
      if (i % stride == 0 || changes || i + 1 == points.size()) {
        kept.push_back(std::move(points[i]));
      }
    }
    points = std::move(kept);
  }

  const std::unordered_set<std::string>& run_ids_;
  std::unordered_set<std::string> foreign_;
  std::map<std::pair<std::string, std::string>, std::size_t> places_; ///< run_id, device
  TelemetryFiles files_;
};

} // namespace

bool is_telemetry_file(const fs::path& file) {
  std::error_code failure;
  if (file_ending(file) != ".csv" || !fs::is_regular_file(file, failure)) {
    return false; // reading a pipe might wait forever
  }
  std::ifstream stream(file, std::ios::binary);
  std::string start(kFirstColumns.size() + kMostBeforeHeader, '\0');
  stream.read(start.data(), static_cast<std::streamsize>(start.size()));
  return form_of(start).has_value();
}

TelemetryFiles read_telemetry(const std::vector<fs::path>& files,
                              const std::unordered_set<std::string>& run_ids,
                              std::size_t most_points) {
  Gatherer gatherer(run_ids);
  for (const fs::path& file : files) {
    gatherer.read(file);
  }
  return gatherer.result(most_points);
}

} // namespace sdbench
