#include "sdbench/core/atomic_file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include <fcntl.h>
#include <unistd.h>

#include "sdbench/core/error.h"

namespace sdbench {
namespace {

std::filesystem::path folder_of(const std::filesystem::path& file) {
  return file.has_parent_path() ? file.parent_path() : ".";
}

} // namespace

AtomicFile::AtomicFile(const std::filesystem::path& target)
    : target_(target), temporary_(target.string() + ".tmp" + std::to_string(::getpid())),
      file_(::open(folder_of(target).c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0644)) {
  if (!file_.ok()) {
    file_ = Descriptor(::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
    is_named_ = file_.ok();
  }
  if (!file_.ok()) {
    fail();
  }
}

AtomicFile::~AtomicFile() {
  if (is_named_) {
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
  if (::fsync(file_.get()) != 0) {
    fail();
  }
  give_name();
  if (!file_.close() || std::rename(temporary_.c_str(), target_.c_str()) != 0) {
    fail();
  }
  is_named_ = false;
  sync_folder_of(target_);
}

/// A file without a name cannot take the place of another at once: it gets the temporary one first.
void AtomicFile::give_name() {
  if (is_named_) {
    return;
  }
  const std::string open_file = "/proc/self/fd/" + std::to_string(file_.get());
  const auto link = [&] {
    return ::linkat(AT_FDCWD, open_file.c_str(), AT_FDCWD, temporary_.c_str(), AT_SYMLINK_FOLLOW);
  };
  if (link() != 0) {
    ::unlink(temporary_.c_str()); // left by a process of the same number that was killed just here
    if (link() != 0) {
      fail();
    }
  }
  is_named_ = true;
}

void AtomicFile::fail() const {
  throw Error("cannot write " + target_.string() + ": " + std::strerror(errno));
}

void sync_folder_of(const std::filesystem::path& file) {
  const Descriptor folder(::open(folder_of(file).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.ok()) {
    ::fsync(folder.get()); // what the file system refuses here cannot be had
  }
}

} // namespace sdbench
