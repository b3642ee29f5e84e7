#pragma once

#include <functional>
#include <string_view>

namespace sdbench {

/// Flag of a row during whose runs the machine was suspended. No comparison uses such a row, and
/// `--resume` measures its cell again.
inline constexpr std::string_view kSuspended = "suspended";

/// Returns a clock's present time in seconds.
using ClockReader = std::function<double()>;

/// Seconds since boot for which this machine was suspended. It is the time of a clock that runs
/// during suspension minus that of a clock that stops. Run times use the clock that stops.
[[nodiscard]] double suspended_seconds();
/// suspended_seconds() with other clocks: `standing` stops during suspension, `going` does not.
[[nodiscard]] double suspended_seconds_by(const ClockReader& standing, const ClockReader& going);

} // namespace sdbench
