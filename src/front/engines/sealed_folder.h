#pragma once

#include <filesystem>

namespace sdbench {

/// Writes beside a folder's files what they hold, so that one that is cut or changed is seen.
/// Throws Error where it cannot.
void seal_folder(const std::filesystem::path& folder);

/// True if its files are unchanged since the folder was sealed. If a file's size or times differ,
/// reads and compares its bytes, and writes the seal anew if they match. False without a seal.
[[nodiscard]] bool is_as_sealed(const std::filesystem::path& folder);

} // namespace sdbench
