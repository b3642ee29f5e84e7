#pragma once

#include <filesystem>
#include <string_view>

namespace sdbench {

/// Of what is kept for the user: XDG_CACHE_HOME/sdbench, else ~/.cache/sdbench; empty where neither
/// is known. A relative one counts as none.
[[nodiscard]] std::filesystem::path cache_folder();

/// The folders in it.
inline constexpr std::string_view kCachedWeights = "weights"; ///< synthetic ones for other engines
inline constexpr std::string_view kCachedEngines = "engines"; ///< what other engines have prepared
inline constexpr std::string_view kCachedKernels = "kernels"; ///< compiled for GPUs
inline constexpr std::string_view kCachedLibtorches =
    "libtorch"; ///< for workers that came without; a folder a version

/// Sets the time of a file or a folder in it, which says when it was last used. What cannot be
/// written stays as it is.
void mark_used(const std::filesystem::path& entry);

} // namespace sdbench
