#pragma once

namespace sdbench {

/// libtorch's `Graph` (at::cuda::CUDAGraph) with a function that tells if its destructor gives its
/// pools back. The member that shows this differs between versions: see their CUDAGraph.h.
template <typename Graph>
class CaptureBy final : public Graph {
public:
  [[nodiscard]] bool gives_pools_back() const {
    if constexpr (requires { this->allocated_pool_; }) {
      return true; // 2.15: however the capture has ended
    } else if constexpr (requires { this->capture_ended_; }) {
      return this->capture_ended_;
    } else { // 2.7
      return this->has_graph_ || this->has_graph_exec_;
    }
  }
};

} // namespace sdbench
