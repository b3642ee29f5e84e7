#pragma once

#include <optional>
#include <span>

#include "sdbench/base/plan/cell.h"
#include "sdbench/front/record/build_record.h"
#include "sdbench/front/record/run_record.h"

namespace sdbench {

/// Seconds that a cell should take, from the latest good row of the same cell on this host. Nothing
/// without such a row.
[[nodiscard]] std::optional<double>
expected_seconds(const Cell& cell, std::span<const RunRecord> rows, const RecordContext& context);

} // namespace sdbench
