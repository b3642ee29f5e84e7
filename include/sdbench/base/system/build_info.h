#pragma once

#include <string_view>

namespace sdbench {

/// The version of this sdbench. Defined in a file that the build generates
/// (cmake/build_info.cmake), so that a new commit recompiles one small file and no other.

/// Release number in the form of CHANGELOG.md: "0.1.0".
[[nodiscard]] std::string_view version();

/// A one-line description of sdbench.
[[nodiscard]] std::string_view description();

/// Commit of the sources, 40 hex digits, followed by "-dirty" if tracked files differ from that
/// commit. "unknown" if the sources are not a git checkout.
[[nodiscard]] std::string_view git_sha();

/// CMake's build type: "Release", "Debug", ….
[[nodiscard]] std::string_view build_type();

} // namespace sdbench
