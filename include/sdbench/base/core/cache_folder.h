#pragma once

#include <filesystem>

namespace sdbench {

/// Of what is kept for the user: XDG_CACHE_HOME/sdbench, else ~/.cache/sdbench; empty where neither
/// is known. A relative one counts as none.
[[nodiscard]] std::filesystem::path cache_folder();

} // namespace sdbench
