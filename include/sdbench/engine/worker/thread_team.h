#pragma once

#include <cstdint>
#include <string>

namespace sdbench {

/// The threads with which OpenMP runs an operator.
struct ThreadTeam {
  std::int64_t threads = 1;
  std::string note; ///< what differs from the request, and why; empty if nothing differs
};

/// Sets libtorch's number of threads to `asked` or, if OpenMP gives fewer, to as many as it gives.
/// The number must be exact: oneDNN and MKL divide each operator into this number of parts, and
/// nobody computes the part of a missing thread. So this function switches off OMP_DYNAMIC, which
/// lets a team shrink from operator to operator. Call this function in the thread that computes: it
/// changes only the settings of the calling thread.
[[nodiscard]] ThreadTeam gather_threads(std::int64_t asked);

/// Binds each OpenMP thread of the calling thread's team to its own core if there are as many
/// threads as usable cores. Unbound threads may share a core while other programs run, and each
/// operator then waits for a time slice (docs/performance.md, "Beside other programs"). Threads are
/// not bound if they are fewer than the cores, if a CPU quota limits the process, if the model is
/// on a GPU, or if the user's environment binds them.
void place_threads(std::int64_t threads, bool on_cpu);

} // namespace sdbench
