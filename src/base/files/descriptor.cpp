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

Descriptor open_regular_file(const std::filesystem::path& path) {
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file.ok()) {
    throw Error("cannot read " + path.string() + ": " + std::strerror(errno));
  }
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) {
    throw Error("cannot read " + path.string() + ": " + std::strerror(errno));
  }
  if (!S_ISREG(status.st_mode)) {
    throw Error("cannot read " + path.string() + ": it must be a file, but is a " +
                (S_ISDIR(status.st_mode) ? "folder" : "device or a pipe"));
  }
  return file;
}

} // namespace sdbench
