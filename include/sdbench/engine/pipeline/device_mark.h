#pragma once

#include <memory>

#include <c10/core/Device.h>

namespace sdbench {

/// A place in a device's queue of work that keeps the time at which it was last passed. Read by
/// that device's clock (DeviceClock::take).
class DeviceMark {
public:
  virtual ~DeviceMark() = default;
  /// Sets it here, on the current stream. Where that records a graph the mark becomes a part of it:
  /// every replay sets it, and it must live as long as the graph does.
  virtual void set() = 0;
};

/// Throws Error for a device that has no clock.
[[nodiscard]] std::shared_ptr<DeviceMark> make_device_mark(c10::Device device);

} // namespace sdbench
