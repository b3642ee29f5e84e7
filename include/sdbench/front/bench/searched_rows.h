#pragma once

#include <span>
#include <vector>

#include "sdbench/base/plan/sweep.h"
#include "sdbench/base/record/build_record.h"
#include "sdbench/base/record/run_record.h"

namespace sdbench {

/// Of these rows (a sweep's own, and those that its outputs held), the ones that a search for the
/// best batch made or may rest on: the cell of one that searches, at whatever batch, on this host
/// and by this engine.
[[nodiscard]] std::vector<RunRecord> searched_rows(const std::vector<SweepCell>& cells,
                                                   std::span<const RunRecord> rows,
                                                   const RecordContext& context);

} // namespace sdbench
