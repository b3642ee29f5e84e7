#pragma once

#include <chrono>

#include <torch/csrc/distributed/c10d/Backend.hpp>
#include <torch/csrc/distributed/c10d/Store.hpp>

namespace sdbench {

/// Makes libtorch's NCCL backend for the current GPU of this process. `patience`: longest time that
/// an operation may take. Throws Error if the libtorch of this build has no NCCL.
[[nodiscard]] c10::intrusive_ptr<c10d::Backend>
make_nccl_backend(const c10::intrusive_ptr<c10d::Store>& store, int number, int count,
                  std::chrono::milliseconds patience);

} // namespace sdbench
