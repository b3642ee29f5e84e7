#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "sdbench/front/telemetry/gpu_reading.h"
#include "sdbench/front/telemetry/host_sensors.h"

namespace sdbench {

/// Readings of all sensors at one moment.
struct SensorReadings {
  std::vector<GpuReading> gpus; ///< in the order of Nvml::read()
  HostReading host;
};

/// Sensor readings with their time and the cell's phase (name of its CellStage). A phase lasts from
/// its first sample to the first sample of the next phase, which is taken when the phase changes.
struct TelemetrySample {
  double time_s = 0; ///< by the sampler's clock
  /// "idle" before and between cells. The sampler always writes "idle"; in_phases() sets the phases
  /// of a cell.
  std::string phase = "idle";
  SensorReadings readings;
};

/// Reads the sensors at fixed intervals in its own thread, and at once on request. Thread-safe.
class SensorSampler {
public:
  struct Sources {
    std::function<SensorReadings()> read; ///< never called by two threads at once
    std::function<double()> clock_s;
  };
  /// Called with every sample by the thread that took it; never by two threads at once.
  using Listener = std::function<void(const TelemetrySample& sample)>;

  /// Takes a sample at once, and then one every `interval_s` seconds.
  SensorSampler(Sources sources, double interval_s, Listener listener);
  ~SensorSampler();
  SensorSampler(const SensorSampler&) = delete;
  SensorSampler& operator=(const SensorSampler&) = delete;

  /// Calls `change`, then takes a sample at once and returns its time. No other sample can be taken
  /// in between, so this is the first sample that the listener gets after the change.
  double look(const std::function<void()>& change = {});
  /// The samples taken at or after `time_s`. They lack the loads of single cores, which only the
  /// listener gets.
  [[nodiscard]] std::vector<TelemetrySample> since(double time_s);
  /// Deletes the samples taken before `time_s`.
  void forget_before(double time_s);
  /// The reason why a reading failed since the previous call of this function; empty if all
  /// succeeded. A failed reading leaves a sample without values.
  [[nodiscard]] std::string take_problem();

private:
  void run();
  void sample_locked();

  Sources sources_;
  double interval_s_;
  Listener listener_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool stopping_ = false;
  std::vector<TelemetrySample> samples_;
  std::string problem_;
  std::thread thread_; ///< last member, because the thread uses all the others
};

} // namespace sdbench
