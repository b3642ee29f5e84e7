#pragma once

#include <string>
#include <string_view>

#include "sdbench/front/record/run_record.h"

namespace sdbench {

/// Flag of a row whose columns or raw times contradict each other. Readers set it; no figure and no
/// verdict uses such a row.
inline constexpr std::string_view kContradicts = "contradicts_itself";

/// The flags, with this one added if they lack it.
[[nodiscard]] std::string with_flag(std::string_view flags, std::string_view flag);
void add_flag(RunRecord& record, std::string_view flag);
/// True if a record's flags (separated by blanks) hold this one.
[[nodiscard]] bool holds_flag(std::string_view flags, std::string_view flag);
[[nodiscard]] bool has_flag(const RunRecord& record, std::string_view flag);
/// True if a row with these flags was measured whole: not cut short, not without a partner, and not
/// on a machine that was suspended. Comparisons use only such rows.
[[nodiscard]] bool is_whole_by(std::string_view flags);
/// The meaning of a flag in a few words for people. Empty for a flag that this version does not
/// know.
[[nodiscard]] std::string_view flag_text(std::string_view flag);

} // namespace sdbench
