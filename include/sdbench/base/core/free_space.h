#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace sdbench {

/// What may still be written to a folder's disk; nothing where that is not told. A file system that
/// says 0 of 0 tells nothing, and is not full.
[[nodiscard]] std::optional<std::int64_t> free_space(const std::filesystem::path& folder);

/// The same of what the system has answered.
[[nodiscard]] std::optional<std::int64_t> free_space(const std::filesystem::space_info& space);

} // namespace sdbench
