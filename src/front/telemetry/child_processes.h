#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

namespace sdbench {

/// Ids of the processes that this process has started and has not yet waited for.
[[nodiscard]] std::vector<std::int64_t> child_processes(const std::filesystem::path& root);

} // namespace sdbench
