#pragma once

#include <filesystem>
#include <vector>

namespace sdbench {

/// Paths of what lies in a folder, sorted; none where it is not there or may not be read.
[[nodiscard]] std::vector<std::filesystem::path>
folder_entries(const std::filesystem::path& folder);

} // namespace sdbench
