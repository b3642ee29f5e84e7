#pragma once

#include <cstdint>
#include <string>

namespace sdbench {

/// The threads that OpenMP gives an operator.
struct ThreadTeam {
  std::int64_t threads = 1;
  std::string note; ///< what differs from the request, and why; empty if nothing
};

/// Asks libtorch for `asked` threads and accepts the number that it gets. From then on libtorch
/// reports that number. It must be the real one: oneDNN and MKL divide an operator by the number
/// that was set, and leave the parts of missing threads uncomputed. So OMP_DYNAMIC, which lets a
/// team shrink from operator to operator, is switched off. Holds for the calling thread, which must
/// be the one that computes.
[[nodiscard]] ThreadTeam gather_threads(std::int64_t asked);

/// Binds each thread of the team to its own core if there are as many threads as usable cores.
/// Unbound threads may share a core while other programs run, and each operator then waits for a
/// time slice (docs/performance.md, "Beside other programs"). Threads stay free to run on all cores
/// if they are fewer, if a quota stops all of them, if the model is on a GPU, or if the user's
/// environment binds them. Holds for the calling thread and its team.
void place_threads(std::int64_t threads, bool on_cpu);

} // namespace sdbench
