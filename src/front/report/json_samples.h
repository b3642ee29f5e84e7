#pragma once

#include "json_columns.h"
#include "sdbench/front/report/report_data.h"

namespace sdbench {

/// Raw step times of the rows that have some, thinned to kMostStepSamples in all.
[[nodiscard]] OrderedJson steps_json(const Results& results);

/// What the sensors said during rows of the report.
[[nodiscard]] OrderedJson telemetry_json(const Report& report);

} // namespace sdbench
