#include "sdbench/engine/kernels/kernel_cache.h"

#include <exception>
#include <fstream>
#include <ios>
#include <iterator>
#include <optional>
#include <system_error>
#include <utility>

#include "sdbench/base/files/cache_folder.h"
#include "sdbench/base/files/json_io.h"
#include "sdbench/base/files/sha256.h"

namespace sdbench {
namespace {

constexpr std::size_t kDigits = 64; // of a SHA-256

/// The file's content after the hash at its start. Empty if the hash does not match.
std::optional<std::string> read_whole(const std::filesystem::path& path) {
  std::error_code not_there;
  if (!std::filesystem::is_regular_file(path, not_there)) { // a pipe would block
    return std::nullopt;
  }
  std::ifstream file(path, std::ios::binary);
  std::string text(std::istreambuf_iterator<char>(file), {});
  if (text.size() <= kDigits || text.compare(0, kDigits, sha256_hex(text.substr(kDigits))) != 0) {
    return std::nullopt;
  }
  text.erase(0, kDigits);
  return text;
}

/// Returns why the kernel could not be kept; empty if it is kept.
std::string keep(const std::filesystem::path& path, const std::string& content) {
  try {
    std::filesystem::create_directories(path.parent_path());
    write_file_atomically(path, sha256_hex(content) + content);
  } catch (const std::exception& error) { // an Error, or one from the file system
    return error.what();
  }
  return {};
}

} // namespace

std::filesystem::path kernel_cache_folder() {
  const std::filesystem::path folder = cache_folder();
  return folder.empty() ? folder : folder / kCachedKernels;
}

std::string cached(const std::filesystem::path& folder, std::string_view key,
                   const std::function<std::string()>& make, std::string* not_kept) {
  std::string unused;
  std::string& obstacle = not_kept == nullptr ? unused : *not_kept;
  if (folder.empty()) {
    obstacle = "neither XDG_CACHE_HOME nor HOME names a folder for it";
    return make();
  }
  const std::filesystem::path path = folder / sha256_hex(key);
  if (std::optional<std::string> content = read_whole(path)) {
    mark_used(path);
    return *std::move(content);
  }
  std::string content = make();
  obstacle = keep(path, content);
  return content;
}

} // namespace sdbench
