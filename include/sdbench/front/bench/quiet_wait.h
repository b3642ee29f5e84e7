#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <string>

#include "sdbench/base/plan/cell.h"
#include "sdbench/front/telemetry/busy.h"

namespace sdbench {

/// The share of the CPU that other programs used over some time, and the programs that used the
/// most of it.
struct OthersSeen {
  std::optional<OthersShare> share; ///< nullopt if the system does not report it
  std::string programs;             ///< see heaviest_programs
};

/// Sleeps; ends early if `stop` (may be null) is set.
void rest(double seconds, const std::atomic<bool>* stop);

/// Watches other programs for `seconds`; ends early if `stop` is set.
[[nodiscard]] OthersSeen watch_others(double seconds, const std::atomic<bool>* stop);

/// Settings of --wait-quiet, with which a cell waits until other programs leave it enough cores.
struct QuietWait {
  double limit_s = 0;                      ///< longest wait; 0: no wait
  const std::atomic<bool>* stop = nullptr; ///< set from a signal handler; may be null
  std::function<OthersSeen(double seconds, const std::atomic<bool>* stop)> watch = watch_others;
};

/// The cores that a cell will need, estimated before its worker reports them.
[[nodiscard]] CoresNeeded cores_needed_by(const Cell& cell, bool machine_has_gpu);

/// Returns once other programs have, for one second, left the cell as many cores as it needs, or
/// after wait.limit_s. When the wait begins, tells `say` which programs keep the machine busy.
/// Calls `say` again if the limit ends the wait. If the system does not report the CPU use of other
/// programs, says so and returns at once.
void wait_until_quiet(const QuietWait& wait, const CoresNeeded& needed,
                      const std::function<void(const std::string&)>& say);

} // namespace sdbench
