#pragma once

#include <functional>
#include <string_view>

namespace sdbench {

/// Flag of a row if the machine was suspended during its runs. No verdict uses the row, and
/// `--resume` computes it again.
inline constexpr std::string_view kSuspended = "suspended";

/// A clock's present time in seconds.
using ClockReader = std::function<double()>;

/// Seconds since boot for which this machine was suspended: clocks that go on then, less those that
/// stand still. Times of runs are by the latter.
[[nodiscard]] double suspended_seconds();
/// The same by these two clocks.
[[nodiscard]] double suspended_seconds_by(const ClockReader& standing, const ClockReader& going);

} // namespace sdbench
