#pragma once

#include <string>
#include <vector>

#include "sdbench/front/telemetry/sensor_sampler.h"

namespace sdbench {

/// Tells to which record a sensor reading belongs, and in which phase (CellStage) the cell was at
/// that time. The ids are empty before the first cell and between cells.
struct TelemetryTag {
  std::string run_id;
  std::string cell_id;
  std::string phase = "idle";
};

/// The tags of one sample. Each GPU has its own tag, because different cells may run on different
/// GPUs at the same time.
struct TelemetryTags {
  TelemetryTag host;
  std::vector<TelemetryTag> gpus; ///< in the order of SensorReadings::gpus
};

/// Header and rows of the file that --telemetry writes. Each sample gives one row for each GPU, and
/// then one for the host. docs/telemetry.md describes the columns.
[[nodiscard]] std::string telemetry_csv_header();
[[nodiscard]] std::string telemetry_csv_rows(const TelemetrySample& sample,
                                             const TelemetryTags& tags,
                                             const std::vector<GpuFacts>& gpus,
                                             const std::string& time_utc);

} // namespace sdbench
