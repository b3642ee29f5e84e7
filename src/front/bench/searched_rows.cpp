#include "sdbench/front/bench/searched_rows.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string>

#include "sdbench/base/plan/cell.h"
#include "sdbench/base/types/own_engines.h"
#include "sdbench/front/bench/earlier_rows.h"

namespace sdbench {
namespace {

/// In a search each run has the images of one batch.
std::string work_at_batch(Cell cell, std::int64_t batch, const RecordContext& context) {
  set_batch(cell, batch);
  return work_key(cell, context);
}

} // namespace

std::vector<RunRecord> searched_rows(const std::vector<SweepCell>& cells,
                                     std::span<const RunRecord> rows,
                                     const RecordContext& of_program) {
  std::vector<RunRecord> searched;
  for (const SweepCell& swept : cells) {
    if (!swept.search_batch) {
      continue;
    }
    const Cell& cell = swept.planned.cell;
    RecordContext context = of_program;
    context.tags = swept.tags;
    const ExecutionKey key = execution_key(cell, context);
    std::ranges::copy_if(rows, std::back_inserter(searched), [&](const RunRecord& row) {
      return row.quality_reference.empty() && row.host == context.host &&
             row.engine == cell.engine && is_of_today(row.engine, row.engine_revision) &&
             has_inputs_of(row, key) && work_key(row) == work_at_batch(cell, row.batch, context);
    });
  }
  return searched;
}

} // namespace sdbench
