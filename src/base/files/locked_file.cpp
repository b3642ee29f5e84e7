#include "sdbench/base/files/locked_file.h"

#include <cerrno>
#include <thread>

#include <sys/file.h>

#include "sdbench/base/errors/error.h"

namespace sdbench {

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
    if (!file.ok() || (!taken && is_named(file, path, true))) {
      return file;
    }
    if (std::chrono::steady_clock::now() > deadline) {
      throw Error("cannot " + work + ": another program keeps " +
                  (taken ? "it locked" : "replacing it") +
                  "; end that program, or name another file");
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

} // namespace sdbench
