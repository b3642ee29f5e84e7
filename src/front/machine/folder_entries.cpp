#include "sdbench/front/machine/folder_entries.h"

#include <algorithm>
#include <system_error>

namespace sdbench {

std::vector<std::filesystem::path> folder_entries(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> entries;
  std::error_code missing;
  for (const auto& entry : std::filesystem::directory_iterator(folder, missing)) {
    entries.push_back(entry.path());
  }
  std::ranges::sort(entries);
  return entries;
}

} // namespace sdbench
