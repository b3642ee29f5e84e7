#pragma once

#include <filesystem>
#include <string_view>

namespace sdbench {

/// sdbench's cache folder: XDG_CACHE_HOME/sdbench, else ~/.cache/sdbench. Empty if neither
/// XDG_CACHE_HOME nor HOME is set. A relative path in XDG_CACHE_HOME is ignored.
[[nodiscard]] std::filesystem::path cache_folder();

/// Names of folders in the cache folder. This folder: synthetic weights for external engines.
inline constexpr std::string_view kCachedWeights = "weights";
/// Exported and compiled models of external engines.
inline constexpr std::string_view kCachedEngines = "engines";
inline constexpr std::string_view kCachedKernels = "kernels"; ///< GPU kernels compiled by sdbench
/// libtorch for workers that are distributed without it: one folder for each version.
inline constexpr std::string_view kCachedLibtorches = "libtorch";

/// Sets the modification time of a file or folder in the cache to now, to record its last use. Does
/// nothing if the entry cannot be written.
void mark_used(const std::filesystem::path& entry);

} // namespace sdbench
