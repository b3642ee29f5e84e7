#pragma once

#include <string>
#include <vector>

#include "sdbench/base/core/json_io.h"
#include "sdbench/front/report/facts.h"
#include "sdbench/front/report/roofline.h"
#include "sdbench/front/report/speed_fit.h"
#include "sdbench/front/report/telemetry_series.h"
#include "sdbench/front/results/result_reader.h"

namespace sdbench {

/// Everything that a report shows.
struct Report {
  Results results; ///< read with raw times
  TelemetryFiles telemetry;
  Facts facts;
  std::vector<SpeedFit> fits;
  Roofline roofline;
  std::string created_utc;
  bool is_private = true; ///< false: what is private was taken out (redact.h)
};

/// Most samples that a page holds, so that it stays usable; it says what it left out.
inline constexpr std::size_t kMostStepSamples = 100'000;
inline constexpr std::size_t kMostTelemetryPoints = 40'000;
inline constexpr std::size_t kMostBadRowsNamed = 50;

/// Evenly spread `most` of the samples, the first and the last among them; all if there are no
/// more.
[[nodiscard]] std::vector<double> evenly_thinned(const std::vector<double>& samples,
                                                 std::size_t most);

/// GPUs of the facts that no row has, as they are written.
[[nodiscard]] std::vector<std::string> unknown_gpus(const Report& report);

/// What the page's script reads (configs/report/scripts/01-data.js): the rows by columns, fields
/// that are empty throughout left out, texts once each, numbers with seven digits.
[[nodiscard]] nlohmann::ordered_json report_data(const Report& report);

} // namespace sdbench
