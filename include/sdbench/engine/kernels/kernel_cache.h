#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace sdbench {

/// The folder for compiled kernels: $XDG_CACHE_HOME/sdbench/kernels, or ~/.cache/sdbench/kernels if
/// that variable is not an absolute path. Empty if HOME is not an absolute path either.
[[nodiscard]] std::filesystem::path kernel_cache_folder();

/// Returns the result of `make`: reads it from `folder` if an earlier call stored it there under
/// the same `key`, else runs `make` and stores its result. `key`: text that names everything the
/// result depends on. Replaces a damaged file. Stores nothing if `folder` is empty or cannot be
/// written. After a run of `make`, `*not_kept` says why the result was not stored; "" if it was.
[[nodiscard]] std::string cached(const std::filesystem::path& folder, std::string_view key,
                                 const std::function<std::string()>& make,
                                 std::string* not_kept = nullptr);

} // namespace sdbench
