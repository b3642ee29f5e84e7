#pragma once

#include <string>
#include <vector>

#include "sdbench/front/telemetry/sampler.h"

namespace sdbench {

/// The record of a reading, and the cell's stage at that time. No record before the first cell and
/// between cells.
struct TelemetryTag {
  std::string run_id;
  std::string cell_id;
  std::string phase = "idle";
};

/// The tags of one sample. Each GPU has a tag, because cells may run at the same time on different
/// GPUs.
struct TelemetryTags {
  TelemetryTag host;
  std::vector<TelemetryTag> gpus; ///< in the order of SensorReadings::gpus
};

/// The file of --telemetry: one row for each device at each moment, the host's last.
/// docs/telemetry.md describes the columns.
[[nodiscard]] std::string telemetry_csv_header();
[[nodiscard]] std::string telemetry_csv_rows(const TelemetrySample& sample,
                                             const TelemetryTags& tags,
                                             const std::vector<GpuFacts>& gpus,
                                             const std::string& time_utc);

} // namespace sdbench
