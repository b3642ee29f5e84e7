#pragma once

#include <cstdint>
#include <string>

namespace sdbench {

/// The threads that OpenMP gives an operator.
struct ThreadTeam {
  std::int64_t threads = 1;
  std::string note; ///< what differs from what was asked for, and why; empty if nothing
};

/// Asks libtorch for `asked` threads and settles for those that come, from now on and for whoever
/// asks libtorch how many there are. oneDNN and MKL divide an operator by the number that was set
/// and leave the parts of threads that did not come uncomputed, so it must be the real one, and
/// OMP_DYNAMIC, which lets a team shrink from operator to operator, is switched off. Holds for the
/// calling thread, which must be the one that computes.
[[nodiscard]] ThreadTeam gather_threads(std::int64_t asked);

} // namespace sdbench
