#pragma once

#include <optional>
#include <string>

#include "sdbench/front/telemetry/processor_use.h"

namespace sdbench {

/// How busy other programs kept the cores that this process may use, during a time span.
struct OthersShare {
  double cores = 0;             ///< number of cores that this process may use
  double seconds = 0;           ///< length of the time span, in real time
  double foreign_cores = 0;     ///< mean use by other programs: 1.5 means one and a half cores
  double foreign_cores_max = 0; ///< use by other programs in the busiest interval of about a second
  double steal_cores = 0;       ///< mean use by the hypervisor for other virtual machines

  [[nodiscard]] double foreign_percent() const { return 100 * foreign_cores / cores; }
  [[nodiscard]] double foreign_percent_max() const { return 100 * foreign_cores_max / cores; }
  [[nodiscard]] double steal_percent() const { return 100 * steal_cores / cores; }
};

/// Computes OthersShare from two readings, `seconds` apart. nullopt if the system does not report
/// CPU times, if the number of cores changed, or if no tick of the kernel's clock lies in between.
[[nodiscard]] std::optional<OthersShare> others_share(const ProcessorUse& before,
                                                      const ProcessorUse& after, double seconds);

/// The cores that a cell needs.
struct CoresNeeded {
  bool on_cpu = true; ///< true: the model computes on the CPU
  double cores = 1;   ///< on_cpu: one per computing thread; else one per GPU, to launch its kernels
};

/// Number of cores that other programs may use without affecting a cell's figures. These are
/// the cores that the cell leaves free, plus a tenth of a core, which an idle system itself uses.
/// For a cell on the CPU, at most a tenth of all cores counts as free, because other programs also
/// slow the cell through shared memory, caches and clocks.
[[nodiscard]] double cores_to_spare(const CoresNeeded& needed, double all_cores);

/// True if other programs and the hypervisor used more than cores_to_spare() allows, and more than
/// 0.05 s of CPU time (five ticks of the clock with which the kernel counts it).
[[nodiscard]] bool is_busy(const OthersShare& others, const CoresNeeded& needed);

/// Describes `others` in words: "other programs had 1.9 of 2 cores (cc1plus 184 %, ninja 7 %), the
/// hypervisor took 0.3 for other machines". `programs`: the text in parentheses; may be empty.
[[nodiscard]] std::string busy_words(const OthersShare& others, const std::string& programs);

} // namespace sdbench
