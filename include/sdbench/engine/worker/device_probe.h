#pragma once

#include <functional>
#include <string>
#include <string_view>

#include <c10/core/Device.h>

#include "sdbench/base/device/device_info.h"

namespace sdbench {

/// Hears what a probe finds.
struct ProbeListener {
  std::function<void(std::string_view name, double value)> on_figure; ///< see kProbeFigures
  /// A figure could not be measured: its name and the reason.
  std::function<void(std::string_view name, const std::string& reason)> on_failure;
  std::function<void()> before_figure; ///< may throw to end the probe
  /// False: the figure is left out.
  std::function<bool(std::string_view name)> is_wanted = [](std::string_view) { return true; };
};

/// Measures what a device can do in about two seconds: products, convolution, attention, memory,
/// and on a GPU transfers and launches. Each figure is the best of many calls, because other
/// programs can only make a call slower. A CPU uses libtorch's number of threads.
void probe_device(c10::Device device, const DeviceInfo& info, const ProbeListener& listener);

} // namespace sdbench
