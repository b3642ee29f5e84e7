#pragma once

#include <filesystem>
#include <string_view>

namespace sdbench {

/// The user's cache folder: XDG_CACHE_HOME/sdbench, else ~/.cache/sdbench. Empty if neither is
/// known. A relative path is ignored.
[[nodiscard]] std::filesystem::path cache_folder();

/// The folders in the cache folder.
inline constexpr std::string_view kCachedWeights = "weights"; ///< synthetic, for external engines
inline constexpr std::string_view kCachedEngines = "engines"; ///< prepared by external engines
inline constexpr std::string_view kCachedKernels = "kernels"; ///< compiled for GPUs
inline constexpr std::string_view kCachedLibtorches =
    "libtorch"; ///< for workers that came without one; a folder for each version

/// Sets the modification time of a file or folder in the cache, which records its last use. Does
/// nothing if it cannot be written.
void mark_used(const std::filesystem::path& entry);

} // namespace sdbench
