#pragma once

#include <chrono>

#include <torch/csrc/distributed/c10d/Backend.hpp>
#include <torch/csrc/distributed/c10d/Store.hpp>

namespace sdbench {

/// libtorch's NCCL, for the current GPU of this process. `patience`: of each operation. Throws
/// Error where the libtorch that this was built with has none.
[[nodiscard]] c10::intrusive_ptr<c10d::Backend>
make_nccl_backend(const c10::intrusive_ptr<c10d::Store>& store, int number, int count,
                  std::chrono::milliseconds patience);

} // namespace sdbench
