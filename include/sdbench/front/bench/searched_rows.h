#pragma once

#include <span>
#include <vector>

#include "sdbench/front/bench/sweep.h"
#include "sdbench/front/record/build_record.h"
#include "sdbench/front/record/run_record.h"

namespace sdbench {

/// The rows on which a search for the best batch may rest: same cell as one that searches, at any
/// batch, on this host and by this engine. `rows`: the sweep's own and those that its outputs
/// already held.
[[nodiscard]] std::vector<RunRecord> searched_rows(const std::vector<SweepCell>& cells,
                                                   std::span<const RunRecord> rows,
                                                   const RecordContext& context);

} // namespace sdbench
