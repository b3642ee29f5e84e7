#include "sdbench/base/files/free_space.h"

#include <algorithm>
#include <limits>
#include <system_error>

namespace sdbench {

std::optional<std::int64_t> free_space(const std::filesystem::path& folder) {
  std::error_code unknown;
  const std::filesystem::space_info space = std::filesystem::space(folder, unknown);
  return unknown ? std::nullopt : free_space(space);
}

std::optional<std::int64_t> free_space(const std::filesystem::space_info& space) {
  constexpr std::uintmax_t kMost = std::numeric_limits<std::int64_t>::max();
  return space.capacity == 0
             ? std::nullopt
             : std::optional(static_cast<std::int64_t>(std::min(space.available, kMost)));
}

} // namespace sdbench
