#pragma once

#include <span>
#include <string>

#include "sdbench/front/record/run_record.h"
#include "sdbench/front/words/screen.h"

namespace sdbench {

/// The rows of a sweep for the terminal: shared values in one line, then a table of differing
/// values and of the figures to compare, units in the head. A cell without figures shows its status
/// and reason instead. If the table is wider than the screen, each row is a block of lines.
[[nodiscard]] std::string to_sweep_table(std::span<const RunRecord> records,
                                         const Screen& screen = {});

/// A short description of a cell: "sd15 512x512, 50 steps, batch 4, fp16".
[[nodiscard]] std::string cell_words(const RunRecord& record);
/// The cell's outcome: "24.3 it/s, 28.6 images/min", or the status and its reason.
[[nodiscard]] std::string outcome_words(const RunRecord& record);

} // namespace sdbench
