#include "sdbench/base/files/locked_file.h"

#include <cerrno>
#include <thread>

#include <sys/file.h>
#include <sys/stat.h>

#include "sdbench/base/errors/error.h"

namespace sdbench {
namespace {

/// True if `path`, followed through links, is still exactly this file.
bool is_found_at(const std::filesystem::path& path, const Descriptor& file) {
  struct stat opened {};
  struct stat found {};
  return ::fstat(file.get(), &opened) == 0 && ::stat(path.c_str(), &found) == 0 &&
         opened.st_dev == found.st_dev && opened.st_ino == found.st_ino;
}

} // namespace

Lock try_lock(const Descriptor& file) {
  if (::flock(file.get(), LOCK_EX | LOCK_NB) == 0) {
    return Lock::kOurs;
  }
  return errno == EWOULDBLOCK ? Lock::kOfAnother : Lock::kUnknown;
}

Descriptor locked_file(const std::filesystem::path& path, const std::function<Descriptor()>& open,
                       const std::string& work) {
  const auto deadline = std::chrono::steady_clock::now() + kLockPatience;
  for (;;) {
    Descriptor file = open();
    const bool taken = file.ok() && try_lock(file) == Lock::kOfAnother;
    if (!file.ok() || (!taken && is_found_at(path, file))) {
      return file;
    }
    if (std::chrono::steady_clock::now() > deadline) {
      throw Error("cannot " + work + ": another program keeps " +
                  (taken ? "it locked" : "replacing it") + "; end that, or name another file");
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

} // namespace sdbench
