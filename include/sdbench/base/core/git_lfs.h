#pragma once

#include <filesystem>
#include <string_view>

namespace sdbench {

/// Whether these first bytes of a file are a pointer of git-lfs.
[[nodiscard]] bool is_git_lfs_pointer(std::string_view first_bytes);

/// A clone without git-lfs has small texts in the places of large files. Throws Error, with the
/// command that fetches it, if these first bytes of `file` are of one.
void refuse_git_lfs_pointer(std::string_view first_bytes, const std::filesystem::path& file);

} // namespace sdbench
