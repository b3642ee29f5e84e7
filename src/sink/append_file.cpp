#include "sdbench/sink/append_file.h"

#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sdbench/core/descriptor.h"
#include "sdbench/core/error.h"

namespace sdbench {
namespace {

[[noreturn]] void refuse(const std::filesystem::path& path, const std::string& reason) {
  throw Error("cannot append to " + path.string() + ": " + reason);
}

/// The file, open and locked until the descriptor closes.
Descriptor open_locked(const std::filesystem::path& path) {
  Descriptor file(
      ::open(path.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0644));
  if (!file.ok()) {
    refuse(path, std::strerror(errno));
  }
  struct stat status {};
  if (::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode)) {
    refuse(path, "it must be a regular file, but is not");
  }
  // Some network file systems know no locks; a lonely writer needs none.
  while (::flock(file.get(), LOCK_EX) != 0 && errno == EINTR) {
  }
  return file;
}

std::string read_at(const Descriptor& file, off_t offset, std::size_t count) {
  std::string bytes(count, '\0');
  const ssize_t got = ::pread(file.get(), bytes.data(), count, offset);
  bytes.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  return bytes;
}

off_t size_of(const Descriptor& file) {
  return ::lseek(file.get(), 0, SEEK_END);
}

void check_content(const Descriptor& file, const std::filesystem::path& path,
                   const std::string& header) {
  const off_t size = size_of(file);
  if (size == 0) {
    return;
  }
  if (read_at(file, 0, header.size()) != header) {
    refuse(path,
           "its first line must be the header of this sdbench's records, but is another "
           "(written by another version or program); move the file away, or name another with -o");
  }
  if (read_at(file, size - 1, 1) != "\n") {
    refuse(path, "its last line must end in a line end, but is cut off; complete or remove that "
                 "line, or name another file with -o");
  }
}

} // namespace

AppendFile::AppendFile(std::filesystem::path path, std::string header)
    : path_(std::move(path)), header_(std::move(header)) {
  check_content(open_locked(path_), path_, header_);
}

void AppendFile::append(const std::string& row) {
  const Descriptor file = open_locked(path_);
  check_content(file, path_, header_);
  const off_t before = size_of(file);
  const std::string bytes = before == 0 ? header_ + row : row;
  const ssize_t written = ::write(file.get(), bytes.data(), bytes.size());
  if (written != static_cast<ssize_t>(bytes.size())) {
    const std::string reason = written < 0 ? std::strerror(errno) : "no space left for a whole row";
    if (::ftruncate(file.get(), before) != 0) {
      refuse(path_, reason + ", and the half row could not be taken back");
    }
    refuse(path_, reason);
  }
}

} // namespace sdbench
