#include "sdbench/engine/pipeline/device_mark.h"

#include "cuda_clock.h"
#include "host_clock.h"
#include "sdbench/base/errors/error.h"

namespace sdbench {

std::shared_ptr<DeviceMark> make_device_mark(c10::Device device) {
  if (device.is_cpu()) {
    return std::make_shared<HostMark>();
  }
  if (device.is_cuda()) {
    return make_cuda_mark(device);
  }
  throw Error("the device must be cpu or cuda, but is " + device.str());
}

} // namespace sdbench
