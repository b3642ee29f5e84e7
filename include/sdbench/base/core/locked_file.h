#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>

#include "sdbench/base/core/descriptor.h"

namespace sdbench {

/// Who has a lock that was asked for.
enum class Lock {
  kOurs, ///< until the descriptor closes
  kOfAnother,
  kUnknown, ///< the file system has no locks, as some network file systems; a lonely writer needs
            ///< none
};

/// Takes the lock of a file if no other descriptor has it. Waits for nobody.
[[nodiscard]] Lock try_lock(const Descriptor& file);

/// How long we wait for a file that another program keeps locked.
inline constexpr std::chrono::seconds kLockPatience{5};

/// What `open` gives, locked until the descriptor closes, and still the file at `path`: what
/// another program replaced meanwhile is opened anew. No lock where the file system has none; a
/// descriptor that is not ok is given back. Throws Error after kLockPatience: "cannot WORK: …".
[[nodiscard]] Descriptor locked_file(const std::filesystem::path& path,
                                     const std::function<Descriptor()>& open,
                                     const std::string& work);

} // namespace sdbench
