#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <string>

#include "sdbench/base/plan/cell.h"
#include "sdbench/front/telemetry/busy.h"

namespace sdbench {

/// The CPU share of other programs over some time, and the heaviest of them.
struct OthersSeen {
  std::optional<OthersShare> share; ///< nothing if the system does not report it
  std::string programs;             ///< see heaviest_programs
};

/// Sleeps; ends early if `stop` (may be null) is set.
void rest(double seconds, const std::atomic<bool>* stop);

/// Watches other programs for `seconds`; ends early if `stop` is set.
[[nodiscard]] OthersSeen watch_others(double seconds, const std::atomic<bool>* stop);

/// --wait-quiet: how long a cell may wait for other programs, and what ends the wait.
struct QuietWait {
  double limit_s = 0;                      ///< 0: it does not wait
  const std::atomic<bool>* stop = nullptr; ///< set from a signal handler; may be null
  std::function<OthersSeen(double seconds, const std::atomic<bool>* stop)> watch = watch_others;
};

/// The cores that a cell will need, estimated before its worker reports them.
[[nodiscard]] CoresNeeded cores_needed_by(const Cell& cell, bool machine_has_gpu);

/// Returns once other programs have left the cell its cores for a second, or after the limit. Calls
/// `say` once with what it waits for, and once if the limit ended the wait.
void wait_until_quiet(const QuietWait& wait, const CoresNeeded& needed,
                      const std::function<void(const std::string&)>& say);

} // namespace sdbench
