#include "sdbench/front/bench/expected_seconds.h"

#include <string>

namespace sdbench {

std::optional<double> expected_seconds(const Cell& cell, std::span<const RunRecord> rows,
                                       const RecordContext& context) {
  const std::string cell_id = cell_id_of(cell, context);
  std::optional<double> seconds;
  for (const RunRecord& row : rows) {
    if (row.cell_id == cell_id && row.host == context.host && row.status == "ok" && row.e2e_s) {
      const double batches = static_cast<double>(cell.images) / static_cast<double>(cell.batch);
      seconds = row.load_s.value_or(0) + row.prepare_s.value_or(0) + row.first_image_s.value_or(0) +
                row.e2e_s.value_or(0) * (static_cast<double>(cell.repeat) +
                                         static_cast<double>(row.warmup.value_or(0)) /
                                             batches) + // a warm-up is one batch
                row.test_s.value_or(0);
    }
  }
  return seconds;
}

} // namespace sdbench
