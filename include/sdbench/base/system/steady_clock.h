#pragma once

namespace sdbench {

/// Seconds by the steady clock.
[[nodiscard]] double steady_seconds();

} // namespace sdbench
