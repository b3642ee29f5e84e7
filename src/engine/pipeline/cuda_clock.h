#pragma once

#include <memory>

#include "sdbench/engine/pipeline/device_clock.h"

namespace sdbench {

/// Makes a clock of events on the current CUDA stream. Throws Error in a build without CUDA.
[[nodiscard]] std::unique_ptr<DeviceClock> make_cuda_clock(c10::Device device);
/// Makes a mark that is a CUDA event. Throws Error in a build without CUDA.
[[nodiscard]] std::shared_ptr<DeviceMark> make_cuda_mark(c10::Device device);

} // namespace sdbench
