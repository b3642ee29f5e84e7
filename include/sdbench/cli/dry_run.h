#pragma once

#include <span>
#include <string>
#include <vector>

#include "sdbench/bench/earlier_rows.h"
#include "sdbench/device/device_info.h"
#include "sdbench/plan/sweep.h"
#include "sdbench/record/build_record.h"

namespace sdbench {

/// Seconds that a cell should take, by the latest good row of the same cell on this host; nothing
/// if there is none.
[[nodiscard]] std::optional<double>
expected_seconds(const Cell& cell, std::span<const RunRecord> rows, const RecordContext& context);

/// What a sweep would do, a line each step in their order: what is asked for, the memory that it
/// needs, and the time that it should take, or why it would not run. `rows`: those that the outputs
/// hold. `earlier` (may be null) and `devices`: for --resume.
[[nodiscard]] std::string dry_run_text(const std::vector<SweepCell>& cells,
                                       const std::vector<SweepStep>& steps,
                                       std::span<const RunRecord> rows, EarlierRows* earlier,
                                       const std::vector<DeviceInfo>& devices,
                                       const RecordContext& context);

} // namespace sdbench
