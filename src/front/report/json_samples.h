#pragma once

#include "json_columns.h"
#include "sdbench/front/report/report_data.h"

namespace sdbench {

/// Raw step times of all rows that have some, thinned to kMostStepSamples in total.
[[nodiscard]] OrderedJson steps_json(const Results& results);

/// Sensor readings during the report's rows.
[[nodiscard]] OrderedJson telemetry_json(const Report& report);

} // namespace sdbench
