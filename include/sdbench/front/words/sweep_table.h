#pragma once

#include <span>
#include <string>

#include "sdbench/base/record/run_record.h"
#include "sdbench/front/words/screen.h"

namespace sdbench {

/// The rows of a sweep for the terminal: what all share in one line, then a table of what differs
/// and of the figures that one compares, units in the head. A cell that gave no figures shows its
/// status and reason in their place. Where the table is wider than the screen, each row is a block
/// of lines.
[[nodiscard]] std::string to_sweep_table(std::span<const RunRecord> records,
                                         const Screen& screen = {});

/// What a cell is, in a few words: "sd15 512x512, 50 steps, batch 4, fp16".
[[nodiscard]] std::string cell_words(const RunRecord& record);
/// How it went: "24.3 it/s, 28.6 images/min", or the status and its reason.
[[nodiscard]] std::string outcome_words(const RunRecord& record);

} // namespace sdbench
