#pragma once

#include <memory>

#include "sdbench/engine/pipeline/device_clock.h"

namespace sdbench {

/// Clock of device events on the current stream. Throws Error in a build without CUDA.
[[nodiscard]] std::unique_ptr<DeviceClock> make_cuda_clock(c10::Device device);
/// Mark made of a device event. Throws Error in a build without CUDA.
[[nodiscard]] std::shared_ptr<DeviceMark> make_cuda_mark(c10::Device device);

} // namespace sdbench
