#pragma once

#include <memory>

#include <c10/core/Device.h>

namespace sdbench {

/// A place in a device's queue of work that records the time when it was last passed. The device's
/// clock reads it (DeviceClock::take).
class DeviceMark {
public:
  virtual ~DeviceMark() = default;
  /// Sets the mark here, on the current stream. If the stream records a graph, the mark becomes a
  /// part of it: every replay sets it, and it must outlive the graph.
  virtual void set() = 0;
};

/// Throws Error for a device that has no clock.
[[nodiscard]] std::shared_ptr<DeviceMark> make_device_mark(c10::Device device);

} // namespace sdbench
