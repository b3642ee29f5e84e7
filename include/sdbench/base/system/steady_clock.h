#pragma once

namespace sdbench {

/// Seconds on the system's steady clock, since an arbitrary moment.
[[nodiscard]] double steady_seconds();

} // namespace sdbench
