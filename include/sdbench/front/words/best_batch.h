#pragma once

#include <span>
#include <string>

#include "sdbench/base/record/run_record.h"

namespace sdbench {

/// What --batch auto has found: for each search (rows that share all but batch and images) the
/// batch with the most images a minute, and the curve. Good rows of one batch (rounds, restarts)
/// count by their mean; a row that stands twice counts once. Empty where no batch has worked.
[[nodiscard]] std::string best_batch_text(std::span<const RunRecord> rows);

} // namespace sdbench
