#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace sdbench {

/// "GOMP_SPINCOUNT=…" for a worker's environment: how often idle OpenMP threads poll before they
/// sleep, about 1 ms on this processor. libgomp's default lasts 3 to 13 ms, so that each operator
/// may lose a time slice to another program. 1 ms already covers every gap between operators
/// (docs/performance.md, "Beside other programs"). Nothing if the user has set how threads wait.
[[nodiscard]] std::optional<std::string> openmp_wait_setting();

/// "OMP_WAIT_POLICY=passive GOMP_CPU_AFFINITY=0": the settings with which the user replaces our
/// choices; empty if there are no such settings.
[[nodiscard]] std::string openmp_choices_of_user();

/// Threads of a cell on the CPU without --threads: OMP_NUM_THREADS, else all `cores`; never more
/// than `cores`.
[[nodiscard]] std::int64_t default_threads(std::int64_t cores);

/// OMP_NUM_THREADS, or the first number of its list; nothing if it is not set or is no number.
[[nodiscard]] std::optional<std::int64_t> omp_num_threads();

} // namespace sdbench
