#pragma once

#include <string>

namespace sdbench {

/// The text of --version: version, commit, build type, and the libtorch versions that have workers.
[[nodiscard]] std::string version_text();

/// The JSON of --version --json, with a record's field names: an object with sdbench_version,
/// git_sha, build_type, schema_version, workers ({libtorch_version, program}) and cache_folder
/// (empty if unknown).
[[nodiscard]] std::string version_json();

} // namespace sdbench
