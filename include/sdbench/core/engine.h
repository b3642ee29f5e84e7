#pragma once

#include <cstdint>
#include <string_view>

namespace sdbench {

/// Who chooses how the network is computed. "plain": ATen's operators alone, the yardstick, which
/// stays as it is so that figures can be compared over the years. "tuned": as fast as the device
/// allows.
inline constexpr std::string_view kPlainEngine = "plain";
inline constexpr std::string_view kTunedEngine = "tuned";

inline constexpr std::int64_t kPlainRevision = 3; // copies to and from a GPU by pinned memory
inline constexpr std::int64_t kTunedRevision =
    5; // that; a CPU's arena, norms, the VAE's attention; Winograd's form of convolutions

/// Raised whenever a change of that engine alters its speed.
[[nodiscard]] constexpr std::int64_t engine_revision(std::string_view engine) {
  return engine == kPlainEngine ? kPlainRevision : kTunedRevision;
}

} // namespace sdbench
