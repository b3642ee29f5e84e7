#pragma once

#include <filesystem>

namespace sdbench {

/// Writes a seal into the folder that describes its files, to detect truncated or changed ones.
/// Throws Error if it cannot.
void seal_folder(const std::filesystem::path& folder);

/// True if its files are unchanged since the folder was sealed. If a file's size or times differ,
/// reads and compares its bytes, and writes the seal anew if they match. False without a seal.
[[nodiscard]] bool is_as_sealed(const std::filesystem::path& folder);

} // namespace sdbench
