#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <string>

#include "sdbench/base/plan/cell.h"
#include "sdbench/base/telemetry/busy.h"

namespace sdbench {

/// Others over some time, and the heaviest of their programs.
struct OthersSeen {
  std::optional<OthersShare> share; ///< nothing where the system does not tell
  std::string programs;             ///< see heaviest_programs
};

/// Sleeps; ends early where `stop` (may be null) is set.
void rest(double seconds, const std::atomic<bool>* stop);

/// Watches others for so many seconds from now on; ends early where `stop` is set.
[[nodiscard]] OthersSeen watch_others(double seconds, const std::atomic<bool>* stop);

/// --wait-quiet: how long a cell may wait for other programs, and what ends the wait.
struct QuietWait {
  double limit_s = 0;                      ///< 0: it does not wait
  const std::atomic<bool>* stop = nullptr; ///< set from a signal handler; may be null
  std::function<OthersSeen(double seconds, const std::atomic<bool>* stop)> watch = watch_others;
};

/// What the cell is going to need of the processors, before a worker has said so.
[[nodiscard]] CoresNeeded cores_needed_by(const Cell& cell, bool machine_has_gpu);

/// Returns as soon as others leave the cell its cores for a second, and after the limit in any
/// case. `say` hears once what it waits for, and once that the limit ended the wait.
void wait_until_quiet(const QuietWait& wait, const CoresNeeded& needed,
                      const std::function<void(const std::string&)>& say);

} // namespace sdbench
