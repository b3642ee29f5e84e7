#pragma once

#include <string>
#include <string_view>

#include "sdbench/base/record/run_record.h"

namespace sdbench {

/// Of a row whose columns or raw times contradict each other: in no figure and no verdict. Readers
/// set it.
inline constexpr std::string_view kContradicts = "contradicts_itself";

/// The flags with this one, which is added unless it is there.
[[nodiscard]] std::string with_flag(std::string_view flags, std::string_view flag);
void add_flag(RunRecord& record, std::string_view flag);
/// Whether a record's flags (separated by blanks) hold this one.
[[nodiscard]] bool holds_flag(std::string_view flags, std::string_view flag);
[[nodiscard]] bool has_flag(const RunRecord& record, std::string_view flag);
/// Whether a row with these flags was measured whole: not cut short, not without a partner, and not
/// on a machine that was suspended. Others are in no figure that is compared.
[[nodiscard]] bool is_whole_by(std::string_view flags);
/// What a flag says, in a few words for a person; empty for one that this version does not know.
[[nodiscard]] std::string_view flag_text(std::string_view flag);

} // namespace sdbench
