#pragma once

#include <filesystem>
#include <string_view>

namespace sdbench {

/// A folder of cache_folder(). Throws Error where that is not known.
[[nodiscard]] std::filesystem::path kept_folder(std::string_view name);

} // namespace sdbench
