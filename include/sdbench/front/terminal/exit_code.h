#pragma once

#include "sdbench/base/errors/error.h"
#include "sdbench/base/types/status.h"
#include "sdbench/front/bench/sweep_runner.h"

namespace sdbench {

inline constexpr int kExitSuccess = 0;
inline constexpr int kExitFailure = 1;    ///< a file, a device or the machine caused a failure
inline constexpr int kExitUsage = 2;      ///< the command line is wrong
inline constexpr int kExitSomeFailed = 3; ///< some cells of a sweep failed
/// Measuring succeeded, but the result is worse than the user's limit.
inline constexpr int kExitMissed = 4;
inline constexpr int kExitUndecided = 5; ///< measuring succeeded, but is not enough for a verdict
inline constexpr int kExitInterrupted = 130; ///< the code that shells report for SIGINT
inline constexpr int kExitReaderGone = 141;  ///< the code that shells report for SIGPIPE

[[nodiscard]] int exit_code(Blame blame);
[[nodiscard]] int exit_code(Status status);
/// Exit code of a sweep. Success if all cells succeeded, or if there was nothing to run;
/// kExitSomeFailed if some succeeded; kExitFailure if none did.
[[nodiscard]] int exit_code(const SweepTally& tally);

} // namespace sdbench
