#pragma once

#include <string>

namespace sdbench {

/// What --version prints: version, commit, build, and the libtorch versions that there are workers
/// for.
[[nodiscard]] std::string version_text();

/// What --version --json prints, in the words of a record: an object with sdbench_version, git_sha,
/// build_type, schema_version, workers ({libtorch_version, program}) and cache_folder (empty where
/// it is not known).
[[nodiscard]] std::string version_json();

} // namespace sdbench
