#pragma once

#include <optional>
#include <string>

#include "sdbench/front/telemetry/processor_use.h"

namespace sdbench {

/// Other programs' use of the cores that this process may use, over some time.
struct OthersShare {
  double cores = 0;             ///< how many there are
  double seconds = 0;           ///< real time
  double foreign_cores = 0;     ///< other programs, mean: 1.5 is one and a half cores
  double foreign_cores_max = 0; ///< in the busiest second or so
  double steal_cores = 0;       ///< the hypervisor, for other machines

  [[nodiscard]] double foreign_percent() const { return 100 * foreign_cores / cores; }
  [[nodiscard]] double foreign_percent_max() const { return 100 * foreign_cores_max / cores; }
  [[nodiscard]] double steal_percent() const { return 100 * steal_cores / cores; }
};

/// The share between two readings. Nothing if the system does not report it or no tick lies between
/// them.
[[nodiscard]] std::optional<OthersShare> others_share(const ProcessorUse& before,
                                                      const ProcessorUse& after, double seconds);

/// The processors that a cell needs.
struct CoresNeeded {
  bool on_cpu = true; ///< the model computes there
  double cores = 1;   ///< threads of a cell on the CPU; of one on a GPU the one that launches
};

/// Number of cores that other programs may use without affecting such a cell's figures: the cores
/// that it leaves free. For a cell on the CPU, at most a tenth of all cores, because memory, caches
/// and clocks are also shared. Never below a tenth of a core, which an idle system uses itself.
[[nodiscard]] double cores_to_spare(const CoresNeeded& needed, double all_cores);

/// True if others used more than cores_to_spare(), by at least five ticks of the kernel's clock,
/// its resolution.
[[nodiscard]] bool is_busy(const OthersShare& others, const CoresNeeded& needed);

/// "other programs had 1.9 of 2 cores (cc1plus 184 %, ninja 7 %) and the hypervisor took 0.3".
[[nodiscard]] std::string busy_words(const OthersShare& others, const std::string& programs);

} // namespace sdbench
