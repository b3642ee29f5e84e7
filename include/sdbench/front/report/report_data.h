#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sdbench/base/files/json_io.h"
#include "sdbench/front/report/facts.h"
#include "sdbench/front/report/roofline.h"
#include "sdbench/front/report/speed_fit.h"
#include "sdbench/front/report/telemetry_series.h"
#include "sdbench/front/results/result_reader.h"
#include "sdbench/front/results/result_table.h"

namespace sdbench {

/// Everything that a report shows.
struct Report {
  Results results; ///< must have been read with raw times
  TelemetryFiles telemetry;
  Facts facts;
  std::vector<SpeedFit> fits;
  Roofline roofline;
  std::string created_utc;
  /// Set for a page that may be published: the rows without private fields (redact.h). Figures,
  /// comparisons and trends are still computed from `results`, which is complete.
  std::optional<ResultTable> shared = {};

  /// The rows that the page shows.
  [[nodiscard]] const ResultTable& shown() const { return shared ? *shared : results.table; }
};

/// Limits that keep the report page usable. The page says how many samples were left out.
inline constexpr std::size_t kMostStepSamples = 100'000;
inline constexpr std::size_t kMostTelemetryPoints = 40'000;
inline constexpr std::size_t kMostBadRowsNamed = 50;

/// At most `most` of the samples, evenly spread, including the first and the last.
[[nodiscard]] std::vector<double> evenly_thinned(const std::vector<double>& samples,
                                                 std::size_t most);

/// GPUs in the facts that no row matches, spelled as in the facts' file.
[[nodiscard]] std::vector<std::string> unknown_gpus(const Report& report);

/// The data for the page's script (configs/report/scripts/01-data.js). Rows are stored by columns,
/// without empty columns. Each text is stored once, and numbers are rounded to seven digits.
[[nodiscard]] nlohmann::ordered_json report_data(const Report& report);

} // namespace sdbench
