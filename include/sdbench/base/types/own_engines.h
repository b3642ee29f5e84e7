#pragma once

#include <cstdint>
#include <string_view>

namespace sdbench {

/// Names of sdbench's own engines. An engine determines how a model is computed.
/// - "plain" is the reference: it uses only ATen's operators. "plain" rarely changes, so that its
/// measurements stay comparable over years.
/// - "tuned" is as fast as the device allows.
inline constexpr std::string_view kPlainEngine = "plain";
inline constexpr std::string_view kTunedEngine = "tuned";

/// Revision of the plain engine, increased with every change that alters its speed. Reason for the
/// last increase: the schedule is made once for all images of a cell.
inline constexpr std::int64_t kPlainRevision = 5;
/// Revision of the tuned engine. Reason for the last increase: on a GPU biases, sums and upsampling
/// take fewer passes over memory; networks in fp32 convolve in Winograd's form on a CPU.
inline constexpr std::int64_t kTunedRevision = 11;

/// True for sdbench's own engines, false for external ones.
[[nodiscard]] constexpr bool is_own_engine(std::string_view engine) {
  return engine == kPlainEngine || engine == kTunedEngine;
}

/// The engine's revision in this build. 1 for external engines, because only their workers know the
/// revision.
[[nodiscard]] constexpr std::int64_t engine_revision(std::string_view engine) {
  return engine == kPlainEngine ? kPlainRevision : engine == kTunedEngine ? kTunedRevision : 1;
}

/// True if no known change has altered the engine's speed between `revision` and this build.
/// Always true for external engines, whose current revision is not known here.
[[nodiscard]] constexpr bool is_of_today(std::string_view engine, std::int64_t revision) {
  return !is_own_engine(engine) || revision == engine_revision(engine);
}

/// Name of an engine's runtime in texts for people: "libtorch" for sdbench's own engines, else
/// "runtime". The record's field runtime_version has the runtime's version.
[[nodiscard]] constexpr std::string_view runtime_name(std::string_view engine) {
  return is_own_engine(engine) ? "libtorch" : "runtime";
}

} // namespace sdbench
