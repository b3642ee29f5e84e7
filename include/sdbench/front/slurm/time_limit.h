#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sdbench {

/// How long before the end of its time a job hears of it (--signal), ends its cell and asks for
/// another start.
inline constexpr std::int64_t kEndNoticeS = 120;

/// The seconds of a time as sbatch's --time takes it: "30" minutes, "30:00", "2:00:00", "1-12",
/// "1-12:00:00". Nothing where it is no limit ("0", "UNLIMITED"), or of another form, which sbatch
/// says.
[[nodiscard]] std::optional<std::int64_t> time_limit_s(std::string_view text);

/// As Slurm prints it: "00:10:00", "1-12:00:00".
[[nodiscard]] std::string time_limit_text(std::int64_t seconds);

} // namespace sdbench
