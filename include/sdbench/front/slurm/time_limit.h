#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sdbench {

/// A job gets a signal (--signal) this many seconds before its time limit. It then ends its current
/// cell and requests to be started again.
inline constexpr std::int64_t kEndNoticeS = 120;

/// Converts a time in the forms of sbatch's --time to seconds: "30" (minutes), "30:00", "2:00:00",
/// "1-12", "1-12:00:00". nullopt for no limit ("0", "UNLIMITED"), and for malformed texts, which
/// sbatch itself reports.
[[nodiscard]] std::optional<std::int64_t> time_limit_s(std::string_view text);

/// Converts seconds to Slurm's form: "00:10:00", "1-12:00:00".
[[nodiscard]] std::string time_limit_text(std::int64_t seconds);

} // namespace sdbench
