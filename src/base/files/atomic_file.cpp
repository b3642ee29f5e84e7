#include "sdbench/base/files/atomic_file.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <system_error>

#include <fcntl.h>
#include <unistd.h>

#include "sdbench/base/errors/error.h"
#include "sdbench/base/files/locked_file.h"
#include "unique_number.h"

namespace sdbench {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kTemporary = ".tmp"; // followed by a unique number

fs::path folder_of(const fs::path& file) {
  return file.has_parent_path() ? file.parent_path() : ".";
}

/// Removes the files of writers of `target` that were killed between naming and renaming them. A
/// living writer holds a lock; a process id would not show that it lives.
void remove_leftovers(const fs::path& target) {
  std::error_code unlisted; // opening the file gives a better message
  fs::directory_iterator entry(folder_of(target), unlisted);
  for (; !unlisted && entry != fs::directory_iterator(); entry.increment(unlisted)) {
    if (is_unfinished(*entry, target.filename().string())) {
      // Opens for writing, because over NFS only such files can be locked.
      constexpr int kFlags = O_WRONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC;
      const Descriptor left(::open(entry->path().c_str(), kFlags));
      // Meanwhile the name may belong to the next file of a living writer.
      if (left.ok() && try_lock(left) == Lock::kOurs && is_named(left, entry->path(), false)) {
        ::unlink(entry->path().c_str());
      }
    }
  }
}

/// The file behind a link is the target, because renaming would replace the link. A loop stays a
/// link, and opening it gives the system's error.
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

/// The file to write. Refuses a device or a pipe, which a file would replace.
fs::path checked_target(const fs::path& asked) {
  fs::path target = link_target(asked);
  std::error_code not_there;
  const fs::file_status status = fs::status(target, not_there);
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    throw Error("cannot write " + asked.string() + ": it must be a regular file, but is a " +
                (fs::is_directory(status) ? "folder" : "device or a pipe"));
  }
  return target;
}

} // namespace

bool is_unfinished(const std::filesystem::directory_entry& entry, std::string_view name) {
  const std::string start = std::string(name) + std::string(kTemporary);
  const std::string found = entry.path().filename().string();
  std::error_code gone;
  return found.size() > start.size() && found.starts_with(start) &&
         std::all_of(found.begin() + std::ssize(start), found.end(),
                     [](char c) { return c >= '0' && c <= '9'; }) &&
         entry.symlink_status(gone).type() == fs::file_type::regular;
}

AtomicFile::AtomicFile(const std::filesystem::path& target)
    : target_(checked_target(target)),
      temporary_(target_.string() + std::string(kTemporary) + unique_number()),
      file_(::open(folder_of(target_).c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0644)) {
  remove_leftovers(target_);
  if (file_.ok()) {
    lock();
  } else {
    do { // repeats if another writer removed it before the lock
      file_ = Descriptor(::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644));
      if (!file_.ok()) {
        fail();
      }
      lock();
    } while (!is_named(file_, temporary_, false));
    is_named_ = true;
  }
}

AtomicFile::~AtomicFile() {
  if (is_named_) {
    ::unlink(temporary_.c_str());
  }
}

/// Holds a lock until the rename, so that remove_leftovers() of other writers keeps the file.
void AtomicFile::lock() {
  static_cast<void>(try_lock(file_)); // without locks nothing is removed
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

void AtomicFile::synchronise() {
  if (::fsync(file_.get()) != 0) {
    fail();
  }
}

void AtomicFile::commit() {
  synchronise();
  give_name();
  if (std::rename(temporary_.c_str(), target_.c_str()) != 0) {
    fail();
  }
  is_named_ = false;
  sync_folder_of(target_);
}

/// A link, unlike a rename, replaces nothing. Without links, the file system can only rename.
void AtomicFile::commit_if_new() {
  synchronise();
  give_name();
  if (::link(temporary_.c_str(), target_.c_str()) == 0) {
    sync_folder_of(target_);
  } else if (std::error_code ignored; !fs::exists(target_, ignored)) {
    commit();
  }
}

/// A file without a name cannot replace another at once: it gets the temporary name first.
void AtomicFile::give_name() {
  if (is_named_) {
    return;
  }
  const std::string open_file = "/proc/self/fd/" + std::to_string(file_.get());
  if (::linkat(AT_FDCWD, open_file.c_str(), AT_FDCWD, temporary_.c_str(), AT_SYMLINK_FOLLOW) != 0) {
    fail();
  }
  is_named_ = true;
}

void AtomicFile::fail() const {
  throw Error("cannot write " + target_.string() + ": " + why_not_writable(target_, errno));
}

std::string why_not_writable(const std::filesystem::path& file, int error) {
  const fs::path folder = folder_of(file);
  std::error_code ignored;
  return error == ENOENT && !fs::exists(folder, ignored)
             ? "its folder " + folder.string() + " is not there; make it first"
             : std::strerror(error);
}

void sync_folder_of(const std::filesystem::path& file) {
  const Descriptor folder(::open(folder_of(file).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.ok()) {
    ::fsync(folder.get()); // nothing can be done if it fails
  }
}

} // namespace sdbench
