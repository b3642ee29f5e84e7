#pragma once

#include <filesystem>
#include <string_view>

namespace sdbench {

/// True if these first bytes of a file are a git-lfs pointer.
[[nodiscard]] bool is_git_lfs_pointer(std::string_view first_bytes);

/// Throws Error with the command that fetches the file, if these first bytes of `file` are a
/// git-lfs pointer. A clone without git-lfs has pointers in place of large files.
void refuse_git_lfs_pointer(std::string_view first_bytes, const std::filesystem::path& file);

} // namespace sdbench
