#include "sdbench/base/files/cache_folder.h"

#include <chrono>
#include <cstdlib>
#include <system_error>
#include <utility>

namespace sdbench {

std::filesystem::path cache_folder() {
  for (const auto& [name, below] :
       {std::pair("XDG_CACHE_HOME", "sdbench"), {"HOME", ".cache/sdbench"}}) {
    const char* const value = std::getenv(name); // NOLINT(concurrency-mt-unsafe)
    if (value != nullptr && *value == '/') {
      return std::filesystem::path(value) / below;
    }
  }
  return {};
}

void mark_used(const std::filesystem::path& entry) {
  std::error_code not_ours;
  std::filesystem::last_write_time(entry, std::filesystem::file_time_type::clock::now(), not_ours);
}

} // namespace sdbench
