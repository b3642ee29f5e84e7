#pragma once

#include <span>
#include <vector>

#include "sdbench/front/bench/sweep.h"
#include "sdbench/front/record/build_record.h"
#include "sdbench/front/record/run_record.h"

namespace sdbench {

/// The rows from which a search for the best batch (--batch auto) may take its result. Such a row
/// was measured on this host. Its work (except the batch size), inputs and engine are those of a
/// cell whose search_batch is true. `rows`: the sweep's own rows and those that its output files
/// already held.
[[nodiscard]] std::vector<RunRecord> searched_rows(const std::vector<SweepCell>& cells,
                                                   std::span<const RunRecord> rows,
                                                   const RecordContext& context);

} // namespace sdbench
