#pragma once

namespace sdbench {

/// Extends `Graph` (libtorch's at::cuda::CUDAGraph) by functions whose members of `Graph` differ
/// between versions of libtorch: see their CUDAGraph.h.
template <typename Graph>
class CaptureBy final : public Graph {
public:
  /// True if the destructor returns the graph's memory pools to the allocator.
  [[nodiscard]] bool gives_pools_back() const {
    if constexpr (requires { this->allocated_pool_; }) {
      return true; // libtorch 2.15: also after a failed capture
    } else if constexpr (requires { this->capture_ended_; }) {
      return this->capture_ended_;
    } else { // libtorch 2.7
      return this->has_graph_ || this->has_graph_exec_;
    }
  }
  /// Calls `use` with the graph in the form that the driver replays, and returns true. Returns
  /// false in libtorch 2.7, which gives that form to nobody.
  template <typename Use>
  bool with_executable([[maybe_unused]] const Use& use) {
    if constexpr (requires { this->raw_cuda_graph_exec(); }) {
      use(this->raw_cuda_graph_exec());
      return true;
    } else {
      return false;
    }
  }
};

} // namespace sdbench
