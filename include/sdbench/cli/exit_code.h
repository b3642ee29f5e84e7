#pragma once

#include "sdbench/core/error.h"
#include "sdbench/core/status.h"

namespace sdbench {

inline constexpr int kExitSuccess = 0;
inline constexpr int kExitFailure = 1;       ///< a file, a device or the machine refused
inline constexpr int kExitUsage = 2;         ///< the command itself is wrong
inline constexpr int kExitInterrupted = 130; ///< as shells report SIGINT

[[nodiscard]] int exit_code(Blame blame);
[[nodiscard]] int exit_code(Status status);

} // namespace sdbench
