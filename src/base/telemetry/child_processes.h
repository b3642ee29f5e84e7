#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

namespace sdbench {

/// Ids of the processes that this one has started and that it has not waited for yet.
[[nodiscard]] std::vector<std::int64_t> child_processes(const std::filesystem::path& root);

} // namespace sdbench
