#include "sdbench/base/files/git_lfs.h"

#include <string>

#include "sdbench/base/errors/error.h"
#include "sdbench/base/text/escape.h"

namespace sdbench {

bool is_git_lfs_pointer(std::string_view first_bytes) {
  return first_bytes.starts_with("version https://git-lfs.github.com/spec/");
}

void refuse_git_lfs_pointer(std::string_view first_bytes, const std::filesystem::path& file) {
  if (!is_git_lfs_pointer(first_bytes)) {
    return;
  }
  const std::string folder = std::filesystem::absolute(file).parent_path().string();
  throw Error(file.string() +
              " must be the file itself, but is git-lfs's pointer to it; fetch it with: git -C " +
              shell_word(folder) + " lfs pull");
}

} // namespace sdbench
