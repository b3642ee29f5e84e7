#include "cuda_clock.h"

#include <vector>

#include "sdbench/core/error.h"

#ifdef SDBENCH_HAS_CUDA
#include <ATen/cuda/CUDAContext.h>
#include <ATen/cuda/CUDAEvent.h>
#endif

namespace sdbench {

#ifdef SDBENCH_HAS_CUDA
namespace {

class CudaClock final : public DeviceClock {
public:
  explicit CudaClock(c10::Device device) : device_(device.index()) {}

  void reset() override {
    used_ = 0;
    passed_ = 0;
  }
  void mark() override {
    if (used_ == events_.size()) {
      events_.emplace_back(cudaEventDefault); // created on its first record, reused by later runs
    }
    events_[used_++].record(at::cuda::getCurrentCUDAStream(device_));
  }
  [[nodiscard]] std::size_t passed() override {
    while (passed_ < used_ && events_[passed_].query()) {
      ++passed_;
    }
    return passed_;
  }
  void wait() override {
    if (used_ > 0) {
      events_[used_ - 1].synchronize();
    }
  }
  [[nodiscard]] double seconds(std::size_t from, std::size_t to) const override {
    constexpr double kMillisecond = 1e-3;
    return static_cast<double>(events_.at(from).elapsed_time(events_.at(to))) * kMillisecond;
  }

private:
  c10::DeviceIndex device_;
  std::vector<at::cuda::CUDAEvent> events_;
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
