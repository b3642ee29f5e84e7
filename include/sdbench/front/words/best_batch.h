#pragma once

#include <span>
#include <string>

#include "sdbench/front/record/run_record.h"

namespace sdbench {

/// Reports the result of --batch auto. For each search, gives the batch size with the most images
/// per second or minute, and the rates of all batch sizes. A search consists of the rows that
/// differ only in batch and images. Good rows of one batch size, such as those of several rounds or
/// restarts, are averaged; a repeated row counts once. Empty if no batch size succeeded.
[[nodiscard]] std::string best_batch_text(std::span<const RunRecord> rows);

} // namespace sdbench
