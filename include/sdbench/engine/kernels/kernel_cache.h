#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace sdbench {

/// XDG_CACHE_HOME/sdbench/kernels, else ~/.cache/sdbench/kernels; empty where neither is known.
[[nodiscard]] std::filesystem::path kernel_cache_folder();

/// What `make` makes, from `folder` if it made it there before for the same `key` (any text that
/// says all it depends on). A file that was damaged is made anew. A folder that cannot be written,
/// or is empty, costs time only: `not_kept`, if given, is why, or empty.
[[nodiscard]] std::string cached(const std::filesystem::path& folder, std::string_view key,
                                 const std::function<std::string()>& make,
                                 std::string* not_kept = nullptr);

} // namespace sdbench
