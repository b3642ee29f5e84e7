#pragma once

#include <cstdint>
#include <string_view>

namespace sdbench {

/// Who chooses how the network is computed. "plain": only ATen's operators. It is the reference,
/// and does not change, so that figures stay comparable over years. "tuned": as fast as the device
/// allows.
inline constexpr std::string_view kPlainEngine = "plain";
inline constexpr std::string_view kTunedEngine = "tuned";

/// Raised when a change of the plain engine alters its speed. Last reason: a ResNet block adds in
/// place, and a decoder's block reuses its input's memory.
inline constexpr std::int64_t kPlainRevision = 4;
/// The same for the tuned engine. Last reason: attention in fp32 finds the largest score while it
/// computes the scores.
inline constexpr std::int64_t kTunedRevision = 10;

[[nodiscard]] constexpr bool is_own_engine(std::string_view engine) {
  return engine == kPlainEngine || engine == kTunedEngine;
}

/// The engine's revision in this build. 1 for external engines, whose revision only their worker
/// knows.
[[nodiscard]] constexpr std::int64_t engine_revision(std::string_view engine) {
  return engine == kPlainEngine ? kPlainRevision : engine == kTunedEngine ? kTunedRevision : 1;
}

/// True if, as far as known, an engine of that revision is as fast as the current one.
[[nodiscard]] constexpr bool is_of_today(std::string_view engine, std::int64_t revision) {
  return !is_own_engine(engine) || revision == engine_revision(engine);
}

/// The runtime to which a record's runtime_version belongs, for people: libtorch for our engines.
[[nodiscard]] constexpr std::string_view runtime_name(std::string_view engine) {
  return is_own_engine(engine) ? "libtorch" : "runtime";
}

} // namespace sdbench
