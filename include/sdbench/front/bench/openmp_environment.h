#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace sdbench {

/// "GOMP_SPINCOUNT=…" for a worker's environment: how often OpenMP's threads look for each other
/// before they sleep, about a millisecond of looks on this processor. libgomp's own number takes 3
/// to 13 ms: beside another program each operator may then lose a time slice, while a thousandth of
/// a second already spans all that lies between operators (docs/performance.md, "Beside other
/// programs"). Nothing where the user has set how they wait.
[[nodiscard]] std::optional<std::string> openmp_wait_setting();

/// "OMP_WAIT_POLICY=passive GOMP_CPU_AFFINITY=0": what the user has set instead of what we would
/// choose; empty if nothing.
[[nodiscard]] std::string openmp_choices_of_user();

/// Threads of a cell on the CPU where --threads says nothing: OMP_NUM_THREADS, else all `cores`,
/// and never more.
[[nodiscard]] std::int64_t default_threads(std::int64_t cores);

/// OMP_NUM_THREADS, or the first number of its list; nothing where it is not set, or no number.
[[nodiscard]] std::optional<std::int64_t> omp_num_threads();

} // namespace sdbench
