#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>

#include "sdbench/base/files/descriptor.h"

namespace sdbench {

/// Who holds a lock after try_lock().
enum class Lock {
  kOurs,      ///< this descriptor holds it until it is closed
  kOfAnother, ///< another descriptor holds it
  /// Unknown, because the file system (such as some network file systems) has no locks. A missing
  /// lock is harmless if only one program writes the file.
  kUnknown,
};

/// Locks a file if no other descriptor holds its lock. Does not wait.
[[nodiscard]] Lock try_lock(const Descriptor& file);

/// Maximum time to wait for a file that another program has locked.
inline constexpr std::chrono::seconds kLockPatience{5};

/// Opens a file with `open` and returns its descriptor, locked until it is closed. If another
/// program replaces the file at `path` before the lock is obtained, opens the new file. If the file
/// system has no locks, the descriptor is not locked. If `open` fails, returns a descriptor whose
/// ok() is false. Throws Error "cannot <work>: …" if locking takes longer than kLockPatience.
[[nodiscard]] Descriptor locked_file(const std::filesystem::path& path,
                                     const std::function<Descriptor()>& open,
                                     const std::string& work);

} // namespace sdbench
