#include "cuda_clock.h"

#include <utility>
#include <vector>

#include "sdbench/base/errors/error.h"
#include "sdbench/engine/pipeline/device_mark.h"

#ifdef SDBENCH_HAS_CUDA
// Not ATen/cuda: its headers need parts of a CUDA toolkit that the wheel lacks.
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#endif

namespace sdbench {

#ifdef SDBENCH_HAS_CUDA
namespace {

/// A CUDA event that records its time.
class CudaMark final : public DeviceMark {
public:
  /// `flags`: of cudaEventCreateWithFlags.
  CudaMark(c10::DeviceIndex device, unsigned flags) : device_(device) {
    const c10::cuda::CUDAGuard guard(device_);
    C10_CUDA_CHECK(cudaEventCreateWithFlags(&event_, flags));
  }
  ~CudaMark() override {
    if (event_ != nullptr) {
      C10_CUDA_CHECK_WARN(cudaEventDestroy(event_));
    }
  }
  CudaMark(const CudaMark&) = delete;
  CudaMark& operator=(const CudaMark&) = delete;
  CudaMark(CudaMark&&) = delete;
  CudaMark& operator=(CudaMark&&) = delete;

  void set() override {
    const c10::cuda::CUDAGuard guard(device_);
    const cudaStream_t stream = c10::cuda::getCurrentCUDAStream(device_);
    // During capture only an external event becomes a node of the graph; any other only orders
    // other nodes. Outside of a capture that flag is an error.
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    C10_CUDA_CHECK(cudaStreamIsCapturing(stream, &status));
    const bool captures = status != cudaStreamCaptureStatusNone;
    C10_CUDA_CHECK(cudaEventRecordWithFlags(
        event_, stream, captures ? cudaEventRecordExternal : cudaEventRecordDefault));
  }
  [[nodiscard]] bool has_passed() const {
    const cudaError_t answer = cudaEventQuery(event_);
    if (answer == cudaErrorNotReady) {
      static_cast<void>(cudaGetLastError()); // clears it: the mark is pending, which is no error
      return false;
    }
    C10_CUDA_CHECK(answer);
    return true;
  }
  void wait() const { C10_CUDA_CHECK(cudaEventSynchronize(event_)); }
  /// Milliseconds until `later`.
  [[nodiscard]] float milliseconds_to(const CudaMark& later) const {
    float milliseconds = 0;
    C10_CUDA_CHECK(cudaEventElapsedTime(&milliseconds, event_, later.event_));
    return milliseconds;
  }

private:
  c10::DeviceIndex device_;
  cudaEvent_t event_ = nullptr;
};

class CudaClock final : public DeviceClock {
public:
  explicit CudaClock(c10::Device device) : device_(device.index()) {}

  void reset() override {
    marks_.clear();
    own_used_ = 0;
    passed_ = 0;
  }
  void mark() override {
    if (own_used_ == own_.size()) {
      // Reused by later runs. Waiting for it blocks: a spinning host thread would take a core from
      // the workers of other GPUs for as long as an image takes.
      own_.push_back(std::make_shared<CudaMark>(device_, cudaEventBlockingSync));
    }
    const std::shared_ptr<CudaMark>& mark = own_[own_used_++];
    mark->set();
    marks_.push_back({mark, /*is_own=*/true});
  }
  void take(const std::shared_ptr<const DeviceMark>& mark) override {
    auto event = std::dynamic_pointer_cast<const CudaMark>(mark);
    TORCH_INTERNAL_ASSERT(event != nullptr, "a GPU's clock takes a GPU's marks");
    marks_.push_back({std::move(event), /*is_own=*/false});
  }
  [[nodiscard]] std::size_t passed() override {
    // A mark from a graph may still show the previous replay. A later mark of our own cannot.
    for (std::size_t next = passed_; next < marks_.size(); ++next) {
      if (!marks_[next].is_own) {
        continue;
      }
      if (!marks_[next].event->has_passed()) {
        break;
      }
      passed_ = next + 1;
    }
    return passed_;
  }
  void wait() override {
    if (own_used_ > 0) {
      own_[own_used_ - 1]->wait();
    }
  }
  void wait_for(std::size_t mark) override {
    while (!marks_.at(mark).is_own) { // see passed()
      ++mark;
    }
    marks_[mark].event->wait();
  }
  [[nodiscard]] double seconds(std::size_t from, std::size_t to) const override {
    constexpr double kMillisecond = 1e-3;
    return static_cast<double>(marks_.at(from).event->milliseconds_to(*marks_.at(to).event)) *
           kMillisecond;
  }

private:
  struct Mark {
    std::shared_ptr<const CudaMark> event;
    bool is_own;
  };

  c10::DeviceIndex device_;
  std::vector<std::shared_ptr<CudaMark>> own_;
  std::size_t own_used_ = 0;
  std::vector<Mark> marks_; ///< since reset()
  std::size_t passed_ = 0;
};

} // namespace

std::unique_ptr<DeviceClock> make_cuda_clock(c10::Device device) {
  return std::make_unique<CudaClock>(device);
}

std::shared_ptr<DeviceMark> make_cuda_mark(c10::Device device) {
  return std::make_shared<CudaMark>(device.index(), cudaEventDefault);
}
#else
std::unique_ptr<DeviceClock> make_cuda_clock(c10::Device) {
  throw Error("this libtorch must be built with CUDA to time a GPU, but is not");
}

std::shared_ptr<DeviceMark> make_cuda_mark(c10::Device) {
  throw Error("this libtorch must be built with CUDA to time a GPU, but is not");
}
#endif

} // namespace sdbench
