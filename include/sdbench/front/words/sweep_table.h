#pragma once

#include <span>
#include <string>

#include "sdbench/front/record/run_record.h"
#include "sdbench/front/words/screen.h"

namespace sdbench {

/// Formats the rows of a sweep for the terminal. One line has the values that all rows share. Below
/// it, a table has the values that differ and the figures to compare, with units in the heads. A
/// row without figures shows its status and the reason. If the table is wider than the screen, each
/// row becomes a block of lines.
[[nodiscard]] std::string to_sweep_table(std::span<const RunRecord> records,
                                         const Screen& screen = {});

/// Describes a cell briefly: "sd15 512x512, 50 steps, batch 4, fp16".
[[nodiscard]] std::string cell_words(const RunRecord& record);
/// Describes the cell's outcome: "24.3 it/s, 28.6 images/min", or its status and the reason.
[[nodiscard]] std::string outcome_words(const RunRecord& record);

} // namespace sdbench
