#pragma once

#include <string_view>

namespace sdbench {

/// These functions describe the version of sdbench. They are defined in a file that the build
/// generates (cmake/build_info.cmake), so that a new commit recompiles only that small file.

/// Release number as in CHANGELOG.md: "0.1.0".
[[nodiscard]] std::string_view version();

/// A one-line description of sdbench.
[[nodiscard]] std::string_view description();

/// Git commit of the sources: 40 hex digits, followed by "-dirty" if tracked files differ from the
/// commit. "unknown" if the sources are not in a git checkout.
[[nodiscard]] std::string_view git_sha();

/// CMake's build type: "Release", "Debug", ….
[[nodiscard]] std::string_view build_type();

} // namespace sdbench
