#include "sdbench/front/bench/telemetry_fields.h"

#include <cstdint>

#include "catch.h"

using namespace sdbench;

namespace {

/// Two runs of three images on a GPU.
RunRecord record() {
  RunRecord made;
  made.device_kind = "cuda";
  made.status = "ok";
  made.images = 3;
  made.repeat = 2;
  return made;
}

TelemetrySummary measured() {
  TelemetrySummary summary;
  summary.sample_count = 10;
  summary.seconds = 1;
  summary.power_w = {100, 150, 200};
  summary.memory_used_bytes.max = 5e9;
  summary.throttle_reasons = 0x5;
  summary.energy = {1200.0, "counter"};
  summary.host_energy = {300.0, "counter"};
  summary.thermal_events = 4;
  summary.fan_rpm.max = 1250;
  summary.other_temperature_c.max = 61.5;
  summary.other_sensor = "nvme";
  return summary;
}

} // namespace

TEST_CASE("energy by image is that of the timed part by its images") {
  RunRecord filled = record();
  fill_telemetry(filled, measured());
  CHECK(filled.energy_j == 1200);
  CHECK(filled.energy_source == "counter");
  CHECK(filled.j_per_image == 200);
  CHECK(filled.host_energy_j == 300);
  CHECK(filled.cpu_thermal_events == 4);
  CHECK(filled.fan_rpm_max == 1250);
  CHECK(filled.other_temperature_c_max == 61.5);
  CHECK(filled.other_temperature_sensor == "nvme");
  CHECK(filled.power_w_mean == 150);
  CHECK(filled.device_memory_used_max_bytes == 5'000'000'000);
  CHECK(filled.throttle_reasons == "sw_power_cap");
  CHECK(filled.telemetry_samples == 10);
}

TEST_CASE("energy by image is empty below one second of a counter, or ten samples of power") {
  const auto j_per_image = [](const char* source, double seconds, std::int64_t samples) {
    TelemetrySummary part = measured();
    part.energy.source = source;
    part.seconds = seconds;
    part.sample_count = samples;
    RunRecord filled = record();
    fill_telemetry(filled, part);
    CHECK(filled.energy_j == 1200);
    return filled.j_per_image;
  };
  CHECK(j_per_image("counter", 1, 1) == 200); // two readings at the ends are enough
  CHECK_FALSE(j_per_image("counter", 0.99, 100).has_value());
  CHECK(j_per_image("integrated", 0.5, 10) == 200);
  CHECK_FALSE(j_per_image("integrated", 10, 9).has_value());
}

TEST_CASE("energy by image is empty where not all images were counted") {
  RunRecord interrupted = record();
  interrupted.status = "interrupted";
  fill_telemetry(interrupted, measured());
  CHECK_FALSE(interrupted.j_per_image.has_value());
  RunRecord cut = record(); // cut by --max-time: ok, but part of the energy made no image
  cut.partial_run.emplace();
  fill_telemetry(cut, measured());
  CHECK(cut.energy_j == 1200);
  CHECK_FALSE(cut.j_per_image.has_value());
}

TEST_CASE("on a CPU the energy is the processor's") {
  RunRecord cpu = record();
  cpu.device_kind = "cpu";
  fill_telemetry(cpu, measured());
  CHECK(cpu.energy_j == 300);
  CHECK(cpu.j_per_image == 50);
  TelemetrySummary without = measured();
  without.host_energy = {};
  RunRecord blind = record();
  blind.device_kind = "cpu";
  fill_telemetry(blind, without);
  CHECK_FALSE(blind.energy_j.has_value());
  CHECK(blind.energy_source.empty());
}

TEST_CASE("a cell that never came to its timed part has no telemetry") {
  RunRecord failed = record();
  fill_telemetry(failed, {});
  CHECK_FALSE(failed.telemetry_samples.has_value());
  CHECK_FALSE(failed.power_w_mean.has_value());
}
