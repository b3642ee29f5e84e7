#pragma once

#include <filesystem>

namespace sdbench {

/// XDG_CACHE_HOME/sdbench, else ~/.cache/sdbench. Throws Error where neither is known.
[[nodiscard]] std::filesystem::path cache_folder();

} // namespace sdbench
