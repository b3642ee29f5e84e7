#pragma once

namespace sdbench {

/// Extends `Graph` (libtorch's at::cuda::CUDAGraph) by a function that tells whether the graph's
/// destructor returns its memory pools to the allocator. The function reads a member that differs
/// between versions of libtorch: see their CUDAGraph.h.
template <typename Graph>
class CaptureBy final : public Graph {
public:
  [[nodiscard]] bool gives_pools_back() const {
    if constexpr (requires { this->allocated_pool_; }) {
      return true; // libtorch 2.15: also after a failed capture
    } else if constexpr (requires { this->capture_ended_; }) {
      return this->capture_ended_;
    } else { // libtorch 2.7
      return this->has_graph_ || this->has_graph_exec_;
    }
  }
};

} // namespace sdbench
