#pragma once

#include <string>
#include <vector>

#include "sdbench/base/telemetry/sampler.h"

namespace sdbench {

/// Which record a reading belongs to, and the cell's stage then; without a record before the first
/// cell and between cells.
struct TelemetryTag {
  std::string run_id;
  std::string cell_id;
  std::string phase = "idle";
};

/// The tags of one sample: cells may run at the same time, each on a GPU of its own.
struct TelemetryTags {
  TelemetryTag host;
  std::vector<TelemetryTag> gpus; ///< in the order of SensorReadings::gpus
};

/// The file of --telemetry: one row for each device at each moment, the host's last.
/// docs/telemetry.md says what the columns are.
[[nodiscard]] std::string telemetry_csv_header();
[[nodiscard]] std::string telemetry_csv_rows(const TelemetrySample& sample,
                                             const TelemetryTags& tags,
                                             const std::vector<GpuFacts>& gpus,
                                             const std::string& time_utc);

} // namespace sdbench
