#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace sdbench {

/// Bytes that may still be written to a folder's disk. nullopt if unknown. A file system that
/// reports 0 of 0 is not full but unknown.
[[nodiscard]] std::optional<std::int64_t> free_space(const std::filesystem::path& folder);

/// The same from the system's answer.
[[nodiscard]] std::optional<std::int64_t> free_space(const std::filesystem::space_info& space);

} // namespace sdbench
