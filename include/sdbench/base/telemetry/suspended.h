#pragma once

namespace sdbench {

/// Seconds since boot for which this machine was suspended: clocks that go on then, less those that
/// stand still. Times of runs are by the latter.
[[nodiscard]] double suspended_seconds();

} // namespace sdbench
