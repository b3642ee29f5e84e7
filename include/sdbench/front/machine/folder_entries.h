#pragma once

#include <filesystem>
#include <vector>

namespace sdbench {

/// Paths of a folder's entries, sorted. Empty if the folder does not exist or may not be read.
[[nodiscard]] std::vector<std::filesystem::path>
folder_entries(const std::filesystem::path& folder);

} // namespace sdbench
