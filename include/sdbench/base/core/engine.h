#pragma once

#include <cstdint>
#include <string_view>

namespace sdbench {

/// Who chooses how the network is computed. "plain": ATen's operators alone, the yardstick, which
/// stays as it is so that figures can be compared over the years. "tuned": as fast as the device
/// allows.
inline constexpr std::string_view kPlainEngine = "plain";
inline constexpr std::string_view kTunedEngine = "tuned";

/// Raised whenever a change of that engine alters its speed. The plain engine's last: a ResNet
/// block adds in place, a decoder's block takes its input over.
inline constexpr std::int64_t kPlainRevision = 4;
/// The last: attention in fp32 looks for the largest score where scores are made.
inline constexpr std::int64_t kTunedRevision = 10;

[[nodiscard]] constexpr bool is_own_engine(std::string_view engine) {
  return engine == kPlainEngine || engine == kTunedEngine;
}

/// Of this build; of another's engine only its worker knows, and 1 says nothing.
[[nodiscard]] constexpr std::int64_t engine_revision(std::string_view engine) {
  return engine == kPlainEngine ? kPlainRevision : engine == kTunedEngine ? kTunedRevision : 1;
}

/// Whether a row of that revision is of an engine that is as fast as today's, as far as is known.
[[nodiscard]] constexpr bool is_of_today(std::string_view engine, std::int64_t revision) {
  return !is_own_engine(engine) || revision == engine_revision(engine);
}

/// What a record's runtime_version is the version of, for people: our engines compute with
/// libtorch.
[[nodiscard]] constexpr std::string_view runtime_name(std::string_view engine) {
  return is_own_engine(engine) ? "libtorch" : "runtime";
}

} // namespace sdbench
