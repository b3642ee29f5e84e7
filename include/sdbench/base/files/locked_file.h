#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>

#include "sdbench/base/files/descriptor.h"

namespace sdbench {

/// Who holds a lock after try_lock().
enum class Lock {
  kOurs, ///< this descriptor, until it is closed
  /// Another descriptor.
  kOfAnother,
  /// Unknown: the file system has no locks, like some network file systems. A single writer does
  /// not need locks.
  kUnknown,
};

/// Locks a file if no other descriptor holds its lock. Does not wait.
[[nodiscard]] Lock try_lock(const Descriptor& file);

/// Maximum time to wait for a file that another program has locked.
inline constexpr std::chrono::seconds kLockPatience{5};

/// Calls `open`, locks the descriptor that it returns until it is closed, and returns it. If
/// another program has meanwhile replaced the file at `path`, opens it again. If the file system
/// has no locks, returns it without a lock. If `open` fails (Descriptor::ok() is false), returns
/// the descriptor unchanged. Throws Error "cannot WORK: …" after kLockPatience; `work` is the text
/// for WORK.
[[nodiscard]] Descriptor locked_file(const std::filesystem::path& path,
                                     const std::function<Descriptor()>& open,
                                     const std::string& work);

} // namespace sdbench
