#pragma once

#include <string>
#include <vector>

#include "sdbench/telemetry/sampler.h"

namespace sdbench {

/// Which record a sample belongs to; empty before the first cell and between cells.
struct TelemetryTag {
  std::string run_id;
  std::string cell_id;
};

/// The file of --telemetry: one row for each device at each moment, the host's last.
/// docs/measuring.md says what the columns are.
[[nodiscard]] std::string telemetry_csv_header();
[[nodiscard]] std::string telemetry_csv_rows(const TelemetrySample& sample, const TelemetryTag& tag,
                                             const std::vector<GpuFacts>& gpus,
                                             const std::string& time_utc);

} // namespace sdbench
