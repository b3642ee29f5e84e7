#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>

#include "sdbench/base/files/descriptor.h"

namespace sdbench {

/// Holder of a requested lock.
enum class Lock {
  kOurs, ///< until the descriptor closes
  kOfAnother,
  kUnknown, ///< the file system has no locks, like some network file systems; a single writer needs
            ///< none
};

/// Takes the lock of a file if no other descriptor has it. Does not wait.
[[nodiscard]] Lock try_lock(const Descriptor& file);

/// Longest wait for a file that another program keeps locked.
inline constexpr std::chrono::seconds kLockPatience{5};

/// Returns the descriptor from `open`, locked until it closes. Opens again if another program has
/// replaced the file at `path` meanwhile. Takes no lock if the file system has none. Returns a
/// descriptor that is not ok unchanged. Throws Error after kLockPatience: "cannot WORK: …".
[[nodiscard]] Descriptor locked_file(const std::filesystem::path& path,
                                     const std::function<Descriptor()>& open,
                                     const std::string& work);

} // namespace sdbench
