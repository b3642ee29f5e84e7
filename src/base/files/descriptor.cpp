#include "sdbench/base/files/descriptor.h"

#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sdbench/base/errors/error.h"

namespace sdbench {

Descriptor::~Descriptor() {
  if (fd_ >= 0) {
    ::close(fd_);
  }
}

Descriptor::Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  std::swap(fd_, other.fd_);
  return *this;
}

bool is_named(const Descriptor& file, const std::filesystem::path& path, bool follows_links) {
  struct stat opened {};
  struct stat named {};
  const int flags = follows_links ? 0 : AT_SYMLINK_NOFOLLOW;
  return ::fstat(file.get(), &opened) == 0 &&
         ::fstatat(AT_FDCWD, path.c_str(), &named, flags) == 0 && opened.st_dev == named.st_dev &&
         opened.st_ino == named.st_ino;
}

Descriptor open_regular_file(const std::filesystem::path& path) {
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat status {};
  if (!file.ok() || ::fstat(file.get(), &status) != 0) {
    throw Error("cannot read " + path.string() + ": " + std::strerror(errno));
  }
  if (!S_ISREG(status.st_mode)) {
    throw Error("cannot read " + path.string() + ": it must be a file, but is a " +
                (S_ISDIR(status.st_mode) ? "folder" : "device or a pipe"));
  }
  return file;
}

} // namespace sdbench
