#pragma once

#include <memory>

#include <c10/core/Device.h>

namespace sdbench {

/// A mark is an event in a device's stream. It stores the time when the device last passed the
/// event. DeviceClock::take() gives the mark to a clock, which reads this time.
class DeviceMark {
public:
  virtual ~DeviceMark() = default;
  /// Puts the mark at this point of the current stream. If the stream is capturing a CUDA graph,
  /// the mark becomes a part of the graph: every replay sets it again, and the mark must outlive
  /// the graph.
  virtual void set() = 0;
};

/// Makes a mark for `device`. Throws Error if it is neither a GPU nor a CPU.
[[nodiscard]] std::shared_ptr<DeviceMark> make_device_mark(c10::Device device);

} // namespace sdbench
