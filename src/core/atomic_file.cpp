#include "sdbench/core/atomic_file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include <fcntl.h>
#include <unistd.h>

#include "sdbench/core/error.h"

namespace sdbench {

AtomicFile::AtomicFile(const std::filesystem::path& target)
    : target_(target), temporary_(target.string() + ".tmp" + std::to_string(::getpid())),
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
  sync_folder_of(target_);
}

void AtomicFile::fail() const {
  throw Error("cannot write " + target_.string() + ": " + std::strerror(errno));
}

void sync_folder_of(const std::filesystem::path& file) {
  const std::filesystem::path parent = file.parent_path();
  const Descriptor folder(
      ::open(parent.empty() ? "." : parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.ok()) {
    ::fsync(folder.get()); // what the file system refuses here cannot be had
  }
}

} // namespace sdbench
