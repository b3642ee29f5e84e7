#pragma once

#include <string>

namespace sdbench {

/// What --version prints: version, commit, build, and the libtorch versions that there are workers
/// for.
[[nodiscard]] std::string version_text();

} // namespace sdbench
