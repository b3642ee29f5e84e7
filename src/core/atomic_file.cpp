#include "sdbench/core/atomic_file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include <fcntl.h>
#include <unistd.h>

#include "sdbench/core/error.h"

namespace sdbench {
namespace {

namespace fs = std::filesystem;

/// Renaming would replace a link by the file, so the file that it leads to is the target. A loop
/// stays a link, which opening refuses in the system's words.
fs::path link_target(fs::path path) {
  constexpr int kMaxLinks = 40; // the kernel's own bound
  std::error_code no_link;
  for (int links = 0; links < kMaxLinks; ++links) {
    const fs::path next = fs::read_symlink(path, no_link);
    if (no_link) {
      return path;
    }
    path = next.is_absolute() ? next : path.parent_path() / next;
  }
  throw Error("cannot write " + path.string() + ": " + std::strerror(ELOOP));
}

/// The file to write. A device or a pipe under that name would be replaced by a file.
fs::path checked_target(const fs::path& asked) {
  const fs::path target = link_target(asked);
  std::error_code not_there;
  const fs::file_status status = fs::status(target, not_there);
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    throw Error("cannot write " + asked.string() + ": it must be a regular file, but is a " +
                (fs::is_directory(status) ? "folder" : "device or a pipe"));
  }
  return target;
}

} // namespace

AtomicFile::AtomicFile(const std::filesystem::path& target)
    : target_(checked_target(target)),
      temporary_(target_.string() + ".tmp" + std::to_string(::getpid())),
      file_(::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644)) {
  if (!file_.ok()) {
    fail();
  }
}

AtomicFile::~AtomicFile() {
  if (!temporary_.empty()) {
    ::unlink(temporary_.c_str());
  }
}

void AtomicFile::write(std::string_view content) {
  while (!content.empty()) {
    const ssize_t written = ::write(file_.get(), content.data(), content.size());
    if (written >= 0) {
      content.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno != EINTR) {
      fail();
    }
  }
}

void AtomicFile::commit() {
  if (::fsync(file_.get()) != 0 || !file_.close() ||
      std::rename(temporary_.c_str(), target_.c_str()) != 0) {
    fail();
  }
  temporary_.clear();
}

void AtomicFile::fail() const {
  throw Error("cannot write " + target_.string() + ": " + std::strerror(errno));
}

} // namespace sdbench
