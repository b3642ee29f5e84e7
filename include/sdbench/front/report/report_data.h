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
  Results results; ///< read with raw times
  TelemetryFiles telemetry;
  Facts facts;
  std::vector<SpeedFit> fits;
  Roofline roofline;
  std::string created_utc;
  /// The rows without private fields (redact.h), for a page that may be published. Figures, pools
  /// and trends are those of `results`, in whose rows nothing is missing.
  std::optional<ResultTable> shared = {};

  /// The rows as the page shows them.
  [[nodiscard]] const ResultTable& shown() const { return shared ? *shared : results.table; }
};

/// Most samples of a page, so that it stays usable; the page says how many it left out.
inline constexpr std::size_t kMostStepSamples = 100'000;
inline constexpr std::size_t kMostTelemetryPoints = 40'000;
inline constexpr std::size_t kMostBadRowsNamed = 50;

/// At most `most` evenly spread samples, including the first and the last.
[[nodiscard]] std::vector<double> evenly_thinned(const std::vector<double>& samples,
                                                 std::size_t most);

/// GPUs of the facts without a row, as written in the file.
[[nodiscard]] std::vector<std::string> unknown_gpus(const Report& report);

/// The data for the page's script (configs/report/scripts/01-data.js): rows by columns without
/// empty columns, each text once, numbers with seven digits.
[[nodiscard]] nlohmann::ordered_json report_data(const Report& report);

} // namespace sdbench
