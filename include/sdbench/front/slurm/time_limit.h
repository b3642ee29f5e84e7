#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sdbench {

/// Seconds before the end of its time at which a job is signalled (--signal), ends its cell and
/// asks to be started again.
inline constexpr std::int64_t kEndNoticeS = 120;

/// Seconds of a time in the forms of sbatch's --time: "30" minutes, "30:00", "2:00:00", "1-12",
/// "1-12:00:00". Nothing for no limit ("0", "UNLIMITED"), and for other forms, which sbatch
/// reports.
[[nodiscard]] std::optional<std::int64_t> time_limit_s(std::string_view text);

/// The time in Slurm's form: "00:10:00", "1-12:00:00".
[[nodiscard]] std::string time_limit_text(std::int64_t seconds);

} // namespace sdbench
