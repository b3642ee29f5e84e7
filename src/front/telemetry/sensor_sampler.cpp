#include "sdbench/front/telemetry/sensor_sampler.h"

#include <chrono>
#include <exception>
#include <utility>

#include "sdbench/base/errors/message_of.h"
#include "sdbench/base/system/signals_blocked.h"
#include "sdbench/base/text/listed.h"

namespace sdbench {

SensorSampler::SensorSampler(Sources sources, double interval_s, Listener listener)
    : sources_(std::move(sources)), interval_s_(interval_s), listener_(std::move(listener)) {
  sample_locked();                     // no lock needed: no other thread yet
  const SignalsBlocked for_the_thread; // the thread inherits it
  thread_ = std::thread([this] { run(); });
}

SensorSampler::~SensorSampler() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

void SensorSampler::run() {
  using Clock = std::chrono::steady_clock;
  const auto interval =
      std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(interval_s_));
  std::unique_lock lock(mutex_);
  for (auto next = Clock::now() + interval;;) {
    if (wake_.wait_until(lock, next, [this] { return stopping_; })) {
      return;
    }
    sample_locked();
    // Skips the ticks that a slow sensor has missed.
    while (next <= Clock::now()) {
      next += interval;
    }
  }
}

double SensorSampler::look(const std::function<void()>& change) {
  const std::lock_guard lock(mutex_);
  if (change) {
    change();
  }
  sample_locked();
  return samples_.back().time_s;
}

std::vector<TelemetrySample> SensorSampler::since(double time_s) {
  const std::lock_guard lock(mutex_);
  return filtered(samples_,
                  [time_s](const TelemetrySample& sample) { return sample.time_s >= time_s; });
}

void SensorSampler::forget_before(double time_s) {
  const std::lock_guard lock(mutex_);
  std::erase_if(samples_,
                [time_s](const TelemetrySample& sample) { return sample.time_s < time_s; });
}

std::string SensorSampler::take_problem() {
  const std::lock_guard lock(mutex_);
  return std::exchange(problem_, {});
}

/// Never throws: an exception in the sampler's thread would end the program.
void SensorSampler::sample_locked() {
  TelemetrySample sample{sources_.clock_s(), "idle", {}};
  try {
    sample.readings = sources_.read();
    if (listener_) {
      listener_(sample);
    }
  } catch (const std::exception& error) {
    problem_ = message_of(error);
  } catch (...) {
    problem_ = "an unknown exception";
  }
  // Not stored, because it would be hundreds of numbers, ten times a second, all night. Only the
  // listener needs them.
  sample.readings.host.core_load_percent = {};
  samples_.push_back(std::move(sample));
}

} // namespace sdbench
