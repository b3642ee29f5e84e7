#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace sdbench {

/// Free bytes on the file system of `folder`. nullopt if unknown. A file system that reports a
/// total size of 0 counts as unknown, not as full.
[[nodiscard]] std::optional<std::int64_t> free_space(const std::filesystem::path& folder);

/// Free bytes in a result of std::filesystem::space; nullopt if its total size is 0.
[[nodiscard]] std::optional<std::int64_t> free_space(const std::filesystem::space_info& space);

} // namespace sdbench
