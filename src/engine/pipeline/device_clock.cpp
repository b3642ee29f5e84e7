#include "sdbench/engine/pipeline/device_clock.h"

#include "cuda_clock.h"
#include "host_clock.h"
#include "sdbench/base/errors/error.h"

namespace sdbench {

std::unique_ptr<DeviceClock> make_device_clock(c10::Device device) {
  if (device.is_cpu()) {
    return std::make_unique<HostClock>();
  }
  if (device.is_cuda()) {
    return make_cuda_clock(device);
  }
  throw Error("the device must be cpu or cuda, but is " + device.str());
}

} // namespace sdbench
