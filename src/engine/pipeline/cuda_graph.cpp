#include "sdbench/engine/pipeline/cuda_graph.h"

#include <map>
#include <utility>

#include "sdbench/base/errors/error.h"

#ifdef SDBENCH_HAS_CUDA
// The only ATen/cuda header here: others need parts of a CUDA toolkit that the wheel lacks.
#include <ATen/cuda/CUDAGraph.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>

#include "sdbench/engine/nn/libtorch_version.h"
#include "sdbench/engine/pipeline/capture_by.h"
#ifdef SDBENCH_PINNED_MEMORY_HAS_POOLS
#include <ATen/core/CachingHostAllocator.h>
#endif
#endif

namespace sdbench {

#ifdef SDBENCH_HAS_CUDA
namespace {

using Capture = CaptureBy<at::cuda::CUDAGraph>;

class CudaGraph final : public WorkGraph {
public:
  /// Records `work` on the current stream. Throws like GraphMaker::capture.
  CudaGraph(const std::function<void()>& work, c10::DeviceIndex device) : device_(device) {
    const c10::cuda::MempoolId_t pool = at::cuda::graph_pool_handle();
    try {
      // Captures only this thread, so that other threads' calls cannot end the capture.
      graph_.capture_begin(pool, cudaStreamCaptureModeThreadLocal);
      work();
      graph_.capture_end();
    } catch (...) {
      abandon(pool);
      throw;
    }
  }
  void upload() override {
    const c10::cuda::CUDAGuard there(device_);
    const bool is_uploaded = graph_.with_executable([&](cudaGraphExec_t graph) {
      // On the stream of the replays, so that each of them comes after the upload. On failure this
      // also clears the error state, in which the next check would find the error.
      C10_CUDA_CHECK(cudaGraphUpload(graph, c10::cuda::getCurrentCUDAStream(device_)));
    });
    if (!is_uploaded) {
      graph_.replay();
    }
  }
  void replay() override { graph_.replay(); }

private:
  /// Ends the capture, so that stream, allocators and error state can serve other work. libtorch
  /// cannot end an invalidated capture. Before 2.15 it also leaves its memory pools behind: their
  /// memory would stay taken, and their filters would ask a destroyed graph.
  void abandon(c10::cuda::MempoolId_t pool) noexcept {
    const auto attempt = [](const auto& action) {
      try {
        action();
      } catch (const std::exception&) { // ended already, or never begun
      }
    };
    attempt([&] { graph_.capture_end(); });
    if (!graph_.gives_pools_back()) {
      attempt([&] { c10::cuda::CUDACachingAllocator::endAllocateToPool(device_, pool); });
      attempt([&] { c10::cuda::CUDACachingAllocator::releasePool(device_, pool); });
#ifdef SDBENCH_PINNED_MEMORY_HAS_POOLS
      attempt([&] { at::getHostAllocator(at::kCUDA)->end_allocate_to_pool(pool); });
      attempt([&] { at::getHostAllocator(at::kCUDA)->release_pool(pool); });
#endif
    }
    static_cast<void>(cudaGetLastError()); // else the next check would find this error
  }

  c10::DeviceIndex device_;
  Capture graph_;
};

/// One stream for all graphs of a kind: libtorch never frees the cuBLAS workspaces of a stream that
/// has computed. From 2.15 on, it keeps them until a graph captured on that stream is destroyed.
/// That graph must be the only one of its stream, and a pipeline has only one of each kind.
c10::cuda::CUDAStream capture_stream(c10::DeviceIndex device, GraphKind kind) {
  static std::map<std::pair<c10::DeviceIndex, GraphKind>, c10::cuda::CUDAStream> streams;
  auto found = streams.find({device, kind});
  if (found == streams.end()) {
    const auto stream = c10::cuda::getStreamFromPool(/*isHighPriority=*/false, device);
    found = streams.emplace(std::pair(device, kind), stream).first;
  }
  return found->second;
}

class CudaGraphMaker final : public GraphMaker {
public:
  CudaGraphMaker(c10::Device device, GraphKind kind)
      : device_(device.index()), stream_(capture_stream(device_, kind)) {}

  void warm_up(const std::function<void()>& work) override {
    c10::cuda::getCurrentCUDAStream(device_).synchronize();
    const c10::cuda::CUDAStreamGuard there(stream_);
    work();
    stream_.synchronize();
  }

  std::unique_ptr<WorkGraph> capture(const std::function<void()>& work) override {
    c10::cuda::getCurrentCUDAStream(device_).synchronize();
    // The warm-ups' memory is cached for that stream only, and the graph needs as much again.
    c10::cuda::CUDACachingAllocator::emptyCache();
    const c10::cuda::CUDAStreamGuard there(stream_);
    return std::make_unique<CudaGraph>(work, device_);
  }

private:
  c10::DeviceIndex device_;
  c10::cuda::CUDAStream stream_;
};

} // namespace
#endif

std::unique_ptr<GraphMaker> make_graph_maker(c10::Device device, [[maybe_unused]] GraphKind kind) {
#ifdef SDBENCH_HAS_CUDA
  if (device.is_cuda()) {
    return std::make_unique<CudaGraphMaker>(device, kind);
  }
#endif
  throw Error("the device must be a GPU that libtorch has CUDA for to capture graphs, but is " +
              device.str());
}

} // namespace sdbench
