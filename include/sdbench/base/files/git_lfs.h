#pragma once

#include <filesystem>
#include <string_view>

namespace sdbench {

/// Number of bytes from a file's beginning that are enough to recognise a Git LFS pointer.
inline constexpr std::size_t kPointerStart = 64;

/// True if a file that begins with these bytes is a Git LFS pointer instead of the real file.
[[nodiscard]] bool is_git_lfs_pointer(std::string_view first_bytes);

/// Throws Error if `first_bytes`, the beginning of `file`, are a Git LFS pointer. The error
/// contains the command that fetches the real file. A clone made without Git LFS has such pointers
/// instead of large files.
void refuse_git_lfs_pointer(std::string_view first_bytes, const std::filesystem::path& file);

} // namespace sdbench
