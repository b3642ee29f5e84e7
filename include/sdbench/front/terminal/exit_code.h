#pragma once

#include "sdbench/base/errors/error.h"
#include "sdbench/base/types/status.h"
#include "sdbench/front/bench/sweep_runner.h"

namespace sdbench {

inline constexpr int kExitSuccess = 0;
inline constexpr int kExitFailure = 1;       ///< a file, a device or the machine refused
inline constexpr int kExitUsage = 2;         ///< the command itself is wrong
inline constexpr int kExitSomeFailed = 3;    ///< of the cells of a sweep
inline constexpr int kExitMissed = 4;        ///< measured well, but worse than was asked for
inline constexpr int kExitUndecided = 5;     ///< measured well, but not enough for a verdict
inline constexpr int kExitInterrupted = 130; ///< as shells report SIGINT
inline constexpr int kExitReaderGone = 141;  ///< as shells report SIGPIPE

[[nodiscard]] int exit_code(Blame blame);
[[nodiscard]] int exit_code(Status status);
/// Exit code of a sweep: success if all cells are good (or there was nothing to run),
/// kExitSomeFailed if only some are, failure if no cell is.
[[nodiscard]] int exit_code(const SweepTally& tally);

} // namespace sdbench
