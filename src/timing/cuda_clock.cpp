#include "cuda_clock.h"

#include <utility>
#include <vector>

#include "sdbench/core/error.h"

#ifdef SDBENCH_HAS_CUDA
// Not ATen/cuda: its headers want parts of a CUDA toolkit that the wheel does not bring.
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#endif

namespace sdbench {

#ifdef SDBENCH_HAS_CUDA
namespace {

/// An event that keeps its time. Made on the current device.
class Event {
public:
  Event() { C10_CUDA_CHECK(cudaEventCreate(&event_)); }
  ~Event() {
    if (event_ != nullptr) {
      C10_CUDA_CHECK_WARN(cudaEventDestroy(event_));
    }
  }
  Event(Event&& other) noexcept : event_(std::exchange(other.event_, nullptr)) {}
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  Event& operator=(Event&&) = delete;

  void record(cudaStream_t stream) { C10_CUDA_CHECK(cudaEventRecord(event_, stream)); }
  [[nodiscard]] bool has_passed() const {
    const cudaError_t answer = cudaEventQuery(event_);
    if (answer == cudaErrorNotReady) {
      static_cast<void>(cudaGetLastError()); // it is no error, and must not be found later as one
      return false;
    }
    C10_CUDA_CHECK(answer);
    return true;
  }
  void wait() const { C10_CUDA_CHECK(cudaEventSynchronize(event_)); }
  /// Milliseconds until `later`.
  [[nodiscard]] float milliseconds_to(const Event& later) const {
    float milliseconds = 0;
    C10_CUDA_CHECK(cudaEventElapsedTime(&milliseconds, event_, later.event_));
    return milliseconds;
  }

private:
  cudaEvent_t event_ = nullptr;
};

class CudaClock final : public DeviceClock {
public:
  explicit CudaClock(c10::Device device) : device_(device.index()) {}

  void reset() override {
    used_ = 0;
    passed_ = 0;
  }
  void mark() override {
    const c10::cuda::CUDAGuard guard(device_);
    if (used_ == events_.size()) {
      events_.emplace_back(); // reused by later runs
    }
    events_[used_++].record(c10::cuda::getCurrentCUDAStream(device_));
  }
  [[nodiscard]] std::size_t passed() override {
    while (passed_ < used_ && events_[passed_].has_passed()) {
      ++passed_;
    }
    return passed_;
  }
  void wait() override {
    if (used_ > 0) {
      events_[used_ - 1].wait();
    }
  }
  [[nodiscard]] double seconds(std::size_t from, std::size_t to) const override {
    constexpr double kMillisecond = 1e-3;
    return static_cast<double>(events_.at(from).milliseconds_to(events_.at(to))) * kMillisecond;
  }

private:
  c10::DeviceIndex device_;
  std::vector<Event> events_;
  std::size_t used_ = 0;
  std::size_t passed_ = 0;
};

} // namespace

std::unique_ptr<DeviceClock> make_cuda_clock(c10::Device device) {
  return std::make_unique<CudaClock>(device);
}
#else
std::unique_ptr<DeviceClock> make_cuda_clock(c10::Device) {
  throw Error("this libtorch must be built with CUDA to time a GPU, but is not");
}
#endif

} // namespace sdbench
