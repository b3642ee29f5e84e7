#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace sdbench {

/// The folder for compiled kernels: $XDG_CACHE_HOME/sdbench/kernels, or ~/.cache/sdbench/kernels if
/// that variable is not an absolute path. Empty if HOME is not an absolute path either.
[[nodiscard]] std::filesystem::path kernel_cache_folder();

/// Returns the result of `make`, from a file in `folder` if an earlier call stored one under the
/// same `key`. `key` is any text that names everything the result depends on. A damaged file is
/// replaced. If `folder` cannot be written, or is an empty path, nothing is stored and each call
/// runs `make`. `not_kept`, if given, receives why the result was not stored, or an empty string.
[[nodiscard]] std::string cached(const std::filesystem::path& folder, std::string_view key,
                                 const std::function<std::string()>& make,
                                 std::string* not_kept = nullptr);

} // namespace sdbench
