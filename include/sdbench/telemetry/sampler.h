#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "sdbench/telemetry/gpu_sensors.h"
#include "sdbench/telemetry/host_sensors.h"

namespace sdbench {

/// What all sensors say at one moment.
struct SensorReadings {
  std::vector<GpuReading> gpus; ///< as Nvml::read
  HostReading host;
};

/// Readings with their time and place. A phase lasts from its first sample to the first sample of
/// the next one, which is taken at the very moment of the change.
struct TelemetrySample {
  double time_s = 0; ///< by the sampler's clock
  std::string phase; ///< stage of the cell: "load", "measure", …; "idle" before and between cells
  SensorReadings readings;
};

/// Looks at the sensors at fixed intervals from a thread of its own, and at once when a phase
/// begins.
class Sampler {
public:
  struct Sources {
    std::function<SensorReadings()> read; ///< never called by two threads at once
    std::function<double()> clock_s;
  };
  /// Called with every sample, from whichever thread took it; never by two at once.
  using Listener = std::function<void(const TelemetrySample& sample)>;

  /// Takes a sample now, in phase "idle", and one every `interval_s` seconds from then on.
  Sampler(Sources sources, double interval_s, Listener listener);
  ~Sampler();
  Sampler(const Sampler&) = delete;
  Sampler& operator=(const Sampler&) = delete;

  /// Begins a phase, with a sample.
  void enter(std::string_view phase);
  /// The samples since the last call, without the loads of single cores; they are forgotten here.
  [[nodiscard]] std::vector<TelemetrySample> take();
  /// Why a look failed since the last call; empty if none did. Its sample has no readings.
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
  std::string phase_ = "idle";
  std::vector<TelemetrySample> samples_;
  std::string problem_;
  std::thread thread_; ///< last: it uses all the others
};

/// Seconds by the steady clock.
[[nodiscard]] double steady_seconds();

} // namespace sdbench
