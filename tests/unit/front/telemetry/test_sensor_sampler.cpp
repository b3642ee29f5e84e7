#include "sdbench/front/telemetry/sensor_sampler.h"

#include <atomic>
#include <chrono>
#include <stdexcept>

#include "catch.h"

using namespace sdbench;

namespace {

constexpr double kNever = 3600; // an interval that no test waits for

/// Sensors whose power counts the readings, at times that a test sets.
class FakeSensors {
public:
  [[nodiscard]] SensorSampler::Sources sources() {
    return {[this] {
              SensorReadings readings;
              readings.gpus.emplace_back().power_w = ++looks;
              readings.host.core_load_percent = {50, 60};
              return readings;
            },
            [this] { return now_s.load(); }};
  }
  void wait_for_looks(int count) const {
    while (looks < count) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }

  std::atomic<double> now_s{0};
  std::atomic<int> looks{0};
};

} // namespace

TEST_CASE("a look is a sample at that moment, by the sampler's clock") {
  FakeSensors sensors;
  SensorSampler sampler(sensors.sources(), kNever, {});
  sensors.now_s = 2.5;
  CHECK(sampler.look() == 2.5);
  sensors.now_s = 4;
  CHECK(sampler.look() == 4);
  const auto samples = sampler.since(0);
  REQUIRE(samples.size() == 3);
  CHECK(samples[0].time_s == 0);
  CHECK(samples[1].time_s == 2.5);
  CHECK(samples[2].time_s == 4);
  CHECK(samples[2].readings.gpus[0].power_w == 3);
  CHECK(sampler.since(2.5).size() == 2);
  sampler.forget_before(4);
  CHECK(sampler.since(0).size() == 1);
}

TEST_CASE("samples come by themselves, at the interval that was asked for") {
  FakeSensors sensors;
  SensorSampler sampler(sensors.sources(), 0.01, {});
  const auto start = std::chrono::steady_clock::now();
  sensors.wait_for_looks(6);
  CHECK(std::chrono::steady_clock::now() - start >= std::chrono::milliseconds(45));
}

TEST_CASE("the listener gets the loads of single cores, which are not kept") {
  FakeSensors sensors;
  std::vector<std::size_t> cores;
  SensorSampler sampler(sensors.sources(), kNever, [&](const TelemetrySample& sample) {
    cores.push_back(sample.readings.host.core_load_percent.size());
  });
  sampler.look();
  CHECK(sampler.since(0).back().readings.host.core_load_percent.empty());
  CHECK(cores == std::vector<std::size_t>{2, 2});
}

TEST_CASE("a look that fails is a sample without readings, and ends nothing") {
  std::atomic<bool> broken{true};
  SensorSampler::Sources sources{[&broken] {
                                   if (broken) {
                                     throw std::runtime_error("a sensor came loose");
                                   }
                                   return SensorReadings{{GpuReading{}}, {}};
                                 },
                                 [] { return 0.0; }};
  SensorSampler sampler(sources, 0.01, {}); // samples here and in its thread
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  broken = false;
  sampler.look();
  const auto samples = sampler.since(0);
  REQUIRE(samples.size() >= 2);
  CHECK(samples.front().readings.gpus.empty());
  CHECK(samples.back().readings.gpus.size() == 1);
  CHECK(sampler.take_problem() == "a sensor came loose");
  CHECK(sampler.take_problem().empty());
}

TEST_CASE("a sampler that waits for its next tick ends at once") {
  FakeSensors sensors;
  const auto start = std::chrono::steady_clock::now();
  { const SensorSampler sampler(sensors.sources(), kNever, {}); }
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(5));
}
