#pragma once

#include <optional>
#include <span>

#include "sdbench/base/plan/cell.h"
#include "sdbench/base/record/build_record.h"
#include "sdbench/base/record/run_record.h"

namespace sdbench {

/// Seconds that a cell should take, by the latest good row of the same cell on this host; nothing
/// if there is none.
[[nodiscard]] std::optional<double>
expected_seconds(const Cell& cell, std::span<const RunRecord> rows, const RecordContext& context);

} // namespace sdbench
