#pragma once

#include <cstddef>
#include <memory>

#include <c10/core/Device.h>

#include "sdbench/engine/pipeline/device_mark.h"

namespace sdbench {

/// Measures time on a device with marks: events in the device's stream. A GPU passes a mark once it
/// has done all work that was enqueued earlier; a CPU passes a mark as soon as it is set. Only
/// wait() and wait_for() wait for the device.
class DeviceClock {
public:
  virtual ~DeviceClock() = default;
  /// Forgets all marks, but keeps their storage, so that a later run of the same length allocates
  /// nothing.
  virtual void reset() = 0;
  /// Adds a mark at this point of the stream.
  virtual void mark() = 0;
  /// Adds a mark that a CUDA graph sets. The graph must have been launched after the previous mark.
  /// The mark counts as passed only when the device passes a later mark that mark() added, so call
  /// mark() before you wait.
  virtual void take(const std::shared_ptr<const DeviceMark>& mark) = 0;
  /// Number of marks that the device has passed by now.
  [[nodiscard]] virtual std::size_t passed() = 0;
  /// Waits until every mark is passed.
  virtual void wait() = 0;
  /// Waits until this mark is passed. The thread sleeps, so that other threads can use the core. If
  /// take() added this mark, waits for the next one that mark() added.
  virtual void wait_for(std::size_t mark) = 0;
  /// Seconds between two marks, both of which must be passed. Marks are numbered from 0.
  [[nodiscard]] virtual double seconds(std::size_t from, std::size_t to) const = 0;
};

/// For a GPU, the clock uses events on the current CUDA stream; for a CPU, the host's steady clock.
/// Throws Error for any other device.
[[nodiscard]] std::unique_ptr<DeviceClock> make_device_clock(c10::Device device);

} // namespace sdbench
