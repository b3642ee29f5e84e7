#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace sdbench {

/// "GOMP_SPINCOUNT=N" for a worker's environment. N is the number of times that an idle OpenMP
/// thread polls before it sleeps. N is chosen so that the threads poll for about 1 ms on this
/// processor, which is longer than every gap between operators (docs/performance.md, "Beside other
/// programs"). By libgomp's default they poll for 3 to 13 ms. That may use up their time slice, so
/// that the next operator waits while another program runs. Returns nullopt if the user has already
/// set how threads wait.
[[nodiscard]] std::optional<std::string> openmp_wait_setting();

/// The OpenMP environment variables with which the user overrides our choices, for example
/// "OMP_WAIT_POLICY=passive GOMP_CPU_AFFINITY=0". Empty if the user has set no such variable.
[[nodiscard]] std::string openmp_choices_of_user();

/// Number of threads for a cell on the CPU if --threads is not given: OMP_NUM_THREADS, or `cores`
/// if that is not set. Never more than `cores`.
[[nodiscard]] std::int64_t default_threads(std::int64_t cores);

/// OMP_NUM_THREADS, or its first number if it is a list. nullopt if it is not set or not a number.
[[nodiscard]] std::optional<std::int64_t> omp_num_threads();

} // namespace sdbench
