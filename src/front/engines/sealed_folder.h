#pragma once

#include <filesystem>

namespace sdbench {

/// Writes beside a folder's files what they hold, so that one that is cut or changed is seen.
/// Throws Error where it cannot.
void seal_folder(const std::filesystem::path& folder);

/// Whether its files are as they were sealed. Bytes decide; they are read where a file's size or
/// times are others, and the seal is written anew. False where there is no seal.
[[nodiscard]] bool is_as_sealed(const std::filesystem::path& folder);

} // namespace sdbench
