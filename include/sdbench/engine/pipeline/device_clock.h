#pragma once

#include <cstddef>
#include <memory>

#include <c10/core/Device.h>

#include "sdbench/engine/pipeline/device_mark.h"

namespace sdbench {

/// Marks in a device's queue of work, and the times between them. On a CPU a mark is passed when it
/// is made; on a GPU, when all work enqueued before it is done. Only wait() and wait_for() wait for
/// the device.
class DeviceClock {
public:
  virtual ~DeviceClock() = default;
  /// Forgets all marks; keeps their storage, so that a later run of the same length allocates
  /// nothing.
  virtual void reset() = 0;
  /// Sets the next mark at this point.
  virtual void mark() = 0;
  /// Appends a mark that a graph sets. The graph must have been started after the previous mark,
  /// and a mark() must follow before a wait for this one: only when that mark is passed, this one
  /// is known to be passed.
  virtual void take(const std::shared_ptr<const DeviceMark>& mark) = 0;
  /// Number of marks that the device has passed by now.
  [[nodiscard]] virtual std::size_t passed() = 0;
  /// Waits until every mark is passed.
  virtual void wait() = 0;
  /// Waits until this mark is passed. The thread sleeps, so that others can use the core. For a
  /// taken mark, waits for the mark() after it.
  virtual void wait_for(std::size_t mark) = 0;
  /// Seconds from one mark to another, both passed. Marks count from 0.
  [[nodiscard]] virtual double seconds(std::size_t from, std::size_t to) const = 0;
};

/// Events on the current CUDA stream, or the host's steady clock. Throws Error for any other
/// device.
[[nodiscard]] std::unique_ptr<DeviceClock> make_device_clock(c10::Device device);

} // namespace sdbench
