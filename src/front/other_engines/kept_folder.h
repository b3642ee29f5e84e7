#pragma once

#include <filesystem>
#include <string_view>

#include "sdbench/base/files/descriptor.h"

namespace sdbench {

/// A folder in cache_folder(). Throws Error if that is unknown.
[[nodiscard]] std::filesystem::path kept_folder(std::string_view name);

/// Opens the file NAME.lock next to an entry and creates it if needed. The file is never removed,
/// because another process may wait for it. Throws Error if it cannot be written.
[[nodiscard]] Descriptor open_lock(const std::filesystem::path& entry);

/// Writes a seal into the folder that describes its files, to detect truncated or changed ones.
/// Throws Error if it cannot.
void seal_folder(const std::filesystem::path& folder);

/// True if its files are unchanged since the folder was sealed. If a file's size or times differ,
/// reads and compares its bytes, and writes the seal anew if they match. False without a seal.
[[nodiscard]] bool is_as_sealed(const std::filesystem::path& folder);

} // namespace sdbench
