#pragma once

#include <span>
#include <string>
#include <string_view>

#include "sdbench/record/run_record.h"

namespace sdbench {

/// A Markdown table for people: one row a record, the figures one compares, units in the head.
[[nodiscard]] std::string to_markdown(std::span<const RunRecord> records);

/// The first line of a file with such a table: that it is ours, and whose rows it holds.
[[nodiscard]] std::string markdown_mark_of(std::span<const RunRecord> records);
/// Whether a text begins like such a table: files of before have no first line of their own.
[[nodiscard]] bool is_markdown_of_records(std::string_view text);

} // namespace sdbench
