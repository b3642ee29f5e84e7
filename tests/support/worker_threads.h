#pragma once

#include <omp.h>

namespace sdbench::test {

/// Threads as a worker has them (gather_threads): their number does not change from operator to
/// operator. For a thread that trains: a backward pass of oneDNN waits for ever for threads that
/// OMP_DYNAMIC, with which CI runs, took away meanwhile.
inline void keep_threads() {
  omp_set_dynamic(0);
}

} // namespace sdbench::test
