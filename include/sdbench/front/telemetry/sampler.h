#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "sdbench/front/telemetry/gpu_sensors.h"
#include "sdbench/front/telemetry/host_sensors.h"

namespace sdbench {

/// Readings of all sensors at one time.
struct SensorReadings {
  std::vector<GpuReading> gpus; ///< as Nvml::read
  HostReading host;
};

/// Readings with their time and place. A phase lasts from its first sample to the first sample of
/// the next phase, which is taken at the moment of the change.
struct TelemetrySample {
  double time_s = 0; ///< by the sampler's clock
  /// The cell's stage by its name; "idle" before and between cells. The sampler does not set it:
  /// see in_phases().
  std::string phase = "idle";
  SensorReadings readings;
};

/// Reads the sensors at fixed intervals in its own thread, and at once on request. Thread-safe.
class Sampler {
public:
  struct Sources {
    std::function<SensorReadings()> read; ///< never called by two threads at once
    std::function<double()> clock_s;
  };
  /// Called with every sample by the thread that took it; never by two threads at once.
  using Listener = std::function<void(const TelemetrySample& sample)>;

  /// Takes a sample now, and one every `interval_s` seconds from then on.
  Sampler(Sources sources, double interval_s, Listener listener);
  ~Sampler();
  Sampler(const Sampler&) = delete;
  Sampler& operator=(const Sampler&) = delete;

  /// Takes a sample now and returns its time. Calls `change` before this sample and after every
  /// earlier one, so that this time separates what the listener sees before and after the change.
  double look(const std::function<void()>& change = {});
  /// The samples from a time on, without the loads of single cores.
  [[nodiscard]] std::vector<TelemetrySample> since(double time_s);
  /// Forgets the samples before a time.
  void forget_before(double time_s);
  /// Why a reading has failed since the last call; empty if all succeeded. The sample of a failed
  /// reading is empty.
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
  std::thread thread_; ///< last: it uses all the others
};

} // namespace sdbench
