#pragma once

#include <functional>
#include <string_view>

namespace sdbench {

/// Flag of a row if the machine was suspended during its runs. No verdict uses the row, and
/// `--resume` computes it again.
inline constexpr std::string_view kSuspended = "suspended";

/// A clock's present time in seconds.
using ClockReader = std::function<double()>;

/// Seconds since boot for which this machine was suspended: a clock that runs during suspension
/// minus one that stops. Times of runs use the latter.
[[nodiscard]] double suspended_seconds();
/// The same for the given two clocks.
[[nodiscard]] double suspended_seconds_by(const ClockReader& standing, const ClockReader& going);

} // namespace sdbench
