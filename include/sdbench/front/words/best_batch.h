#pragma once

#include <span>
#include <string>

#include "sdbench/front/record/run_record.h"

namespace sdbench {

/// The result of --batch auto: for each search (rows that differ only in batch and images) the
/// batch with the most images per minute, and the curve. Good rows of one batch (rounds, restarts)
/// count by their mean; repeated rows count once. Empty if no batch has worked.
[[nodiscard]] std::string best_batch_text(std::span<const RunRecord> rows);

} // namespace sdbench
