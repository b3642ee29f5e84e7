#include "sdbench/front/telemetry/gpu_reading.h"
#include "sdbench/front/telemetry/summary.h"

#include <algorithm>

#include "catch.h"
#include "sdbench/front/telemetry/processor_use.h"

using namespace sdbench;

namespace {

constexpr std::int64_t kGibibyte = std::int64_t{1} << 30;

/// A sample of one GPU.
TelemetrySample sample(double time_s, const char* phase, std::optional<double> power_w = {},
                       std::optional<double> energy_j = {}) {
  TelemetrySample made;
  made.time_s = time_s;
  made.phase = phase;
  GpuReading& gpu = made.readings.gpus.emplace_back();
  gpu.power_w = power_w;
  gpu.energy_j = energy_j;
  return made;
}

/// 2 s of loading, then 3 s of measuring at uneven intervals.
std::vector<TelemetrySample> cell() {
  return {sample(0, "load", 50, 1000),       sample(2, "measure", 100, 1150),
          sample(2.5, "measure", 200, 1230), sample(4, "measure", 300, 1600),
          sample(5, "golden", 100, 1800),    sample(6, "idle", 50, 1870)};
}

} // namespace

TEST_CASE("energy is the counter's difference from the phase's first moment to the next phase's") {
  const TelemetrySummary summary = summarise(cell(), "measure", 0);
  CHECK(summary.energy.joules == 650); // 1800 - 1150
  CHECK(summary.energy.source == "counter");
  CHECK(summary.sample_count == 3);
  CHECK(summary.seconds == 3);
}

TEST_CASE("without a counter, power is integrated by trapezoids over the same time") {
  auto samples = cell();
  for (TelemetrySample& each : samples) {
    each.readings.gpus[0].energy_j.reset();
  }
  const TelemetrySummary summary = summarise(samples, "measure", 0);
  CHECK(summary.energy.joules.value() == Approx(0.5 * 150 + 1.5 * 250 + 1.0 * 200));
  CHECK(summary.energy.source == "integrated");
}

TEST_CASE("energy is empty where a reading that it takes is missing") {
  auto samples = cell();
  samples[3].readings.gpus[0] = {};
  const TelemetrySummary summary = summarise(samples, "measure", 0);
  CHECK_FALSE(summary.energy.joules.has_value());
  CHECK(summary.energy.source.empty());
  CHECK(summary.power_w.mean == 150); // of the two samples with power
}

TEST_CASE("a counter that went back was reset, and power is integrated instead") {
  auto samples = cell();
  samples[3].readings.gpus[0].energy_j = 5;
  CHECK(summarise(samples, "measure", 0).energy.source == "integrated");
}

TEST_CASE("energy is empty where the phase is shorter than what the sensor averages") {
  std::vector<TelemetrySample> samples = {sample(0, "measure", 100, 0),
                                          sample(0.09, "idle", 100, 9)};
  CHECK_FALSE(summarise(samples, "measure", 0).energy.joules.has_value());
  samples[1].time_s = 0.1;
  CHECK(summarise(samples, "measure", 0).energy.joules == 9);
  for (TelemetrySample& each : samples) {
    each.readings.gpus[0].energy_j.reset();
  }
  samples[1].time_s = 0.99;
  CHECK_FALSE(summarise(samples, "measure", 0).energy.joules.has_value());
  samples[1].time_s = 1;
  CHECK(summarise(samples, "measure", 0).energy.joules == 100);
}

namespace {

/// Four seconds at 200 W, after 0 W. Power is reported as the mean of the last second, and the
/// counter counts `counted` times the true energy.
std::vector<TelemetrySample> lagging_power(double counted) {
  std::vector<TelemetrySample> samples;
  for (int tenth = 0; tenth <= 40; ++tenth) {
    const double time_s = tenth / 10.0;
    samples.push_back(sample(time_s, tenth < 40 ? "measure" : "golden", 200 * std::min(time_s, 1.0),
                             200 * counted * time_s));
  }
  return samples;
}

} // namespace

TEST_CASE("counter and power that disagree are told, and a power that is late is none of them") {
  CHECK(summarise(lagging_power(1), "measure", 0).energy_gap.value() == Approx(0).margin(1e-9));
  CHECK(summarise(lagging_power(1.4), "measure", 0).energy_gap.value() == Approx(0.4 / 1.4));
  CHECK(summarise(lagging_power(0.6), "measure", 0).energy_gap.value() == Approx(0.4));
  CHECK(summarise(lagging_power(0), "measure", 0).energy_gap == 1); // a counter that stands still
  CHECK(summarise(lagging_power(1.4), "measure", 0).energy.source == "counter");
  CHECK_FALSE(summarise(cell(), "measure", 0).energy_gap.has_value()); // only 1 s after the first
  auto samples = lagging_power(1.4);
  for (std::size_t i = 5; i < samples.size(); i += 10) {
    samples[i].phase = "wait"; // power lags again after each of these
  }
  CHECK_FALSE(summarise(samples, "measure", 0).energy_gap.has_value());
}

TEST_CASE("least, mean and greatest are of the phase's own samples") {
  const TelemetrySummary summary = summarise(cell(), "measure", 0);
  CHECK(summary.power_w.min == 100);
  CHECK(summary.power_w.mean == 200);
  CHECK(summary.power_w.max == 300);
  CHECK_FALSE(summary.sm_clock_hz.mean.has_value());
  const TelemetrySummary idle = summarise(cell(), "idle", 0);
  CHECK(idle.power_w.mean == 50);
  CHECK_FALSE(idle.energy.joules.has_value()); // it has no end
}

TEST_CASE("a phase that was entered twice is summed without what lay between") {
  const std::vector<TelemetrySample> samples = {
      sample(0, "load", 10, 0), sample(1, "first_image", 10, 10), sample(2, "load", 10, 500),
      sample(3, "golden", 10, 520)};
  const TelemetrySummary summary = summarise(samples, "load", 0);
  CHECK(summary.energy.joules == 30);
  CHECK(summary.seconds == 2);
}

TEST_CASE("a phase that never was is empty, and so is a GPU that is not there") {
  CHECK(summarise(cell(), "warmup", 0).sample_count == 0);
  CHECK_FALSE(summarise(cell(), "warmup", 0).cpu_load_percent.has_value());
  CHECK_FALSE(summarise(cell(), "measure", 7).power_w.mean.has_value());
  CHECK_FALSE(summarise(cell(), "measure", std::nullopt).power_w.mean.has_value());
  CHECK(summarise({}, "measure", 0).sample_count == 0);
}

TEST_CASE("throttle reasons are all that were seen, with their shares of the samples") {
  auto samples = cell();
  samples[0].readings.gpus[0].throttle_reasons = 0x80; // while loading: not counted
  samples[1].readings.gpus[0].throttle_reasons = 0x1;
  samples[2].readings.gpus[0].throttle_reasons = 0x4;
  samples[3].readings.gpus[0].throttle_reasons = 0x44;
  const TelemetrySummary summary = summarise(samples, "measure", 0);
  CHECK(summary.throttle_reasons == 0x45u);
  CHECK(summary.throttled_share == Approx(1.0 / 3));
  CHECK(summary.power_capped_share == Approx(2.0 / 3));
}

TEST_CASE("a GPU that fails in any stage of the cell leaves its first reason") {
  auto samples = cell();
  CHECK(gpu_problem(samples, 0).empty());
  samples[3].readings.gpus[0].problem = "GPU requires reset";
  CHECK(gpu_problem(samples, 0) == "GPU requires reset");
  samples[0].readings.gpus[0].problem = "GPU is lost"; // while it loads
  CHECK(gpu_problem(samples, 0) == "GPU is lost");
  CHECK(gpu_problem(samples, 1).empty()); // the other GPU
}

TEST_CASE("repeated transfers are those of the phase, unless the counter was reset") {
  auto samples = cell();
  for (std::size_t i = 0; i < samples.size(); ++i) {
    samples[i].readings.gpus[0].pcie_replays = static_cast<std::int64_t>(100 + 7 * i);
  }
  CHECK(summarise(samples, "measure", 0).pcie_replays == 21); // from the second to the fifth
  samples[3].readings.gpus[0].pcie_replays = 0;
  CHECK_FALSE(summarise(samples, "measure", 0).pcie_replays.has_value());
}

TEST_CASE("Xids are those of the whole cell, without earlier ones and over unanswered looks") {
  auto samples = cell();
  CHECK_FALSE(xids_in(samples, 0).has_value());
  for (TelemetrySample& each : samples) {
    each.readings.gpus[0].xid_count = 2; // from an earlier cell
    each.readings.gpus[0].xid_last = 13;
  }
  CHECK(xids_in(samples, 0)->count == 0);
  CHECK_FALSE(xids_in(samples, 0)->last.has_value());
  samples[4].readings.gpus[0].xid_count = 5;
  samples[4].readings.gpus[0].xid_last = 79;
  samples[5].readings.gpus[0].xid_count.reset(); // NVML did not answer
  CHECK(xids_in(samples, 0)->count == 3);
  CHECK(xids_in(samples, 0)->last == 79);
  CHECK_FALSE(xids_in(samples, 1).has_value());
}

TEST_CASE("the host's load is its work by all time of the phase, and its energy a difference") {
  auto samples = cell();
  samples[1].readings.host.cpu_busy_s = 10;
  samples[1].readings.host.cpu_total_s = 100;
  samples[1].readings.host.energy_j = 5;
  samples[4].readings.host.cpu_busy_s = 13;
  samples[4].readings.host.cpu_total_s = 106;
  samples[4].readings.host.energy_j = 95;
  samples.erase(samples.begin() + 2, samples.begin() + 4);
  const TelemetrySummary summary = summarise(samples, "measure", std::nullopt);
  CHECK(summary.cpu_load_percent.value() == Approx(50));
  samples[2].readings.host.cpu_busy_s = 16.0000001; // counters are rounded each by itself
  CHECK(summarise(samples, "measure", std::nullopt).cpu_load_percent.value() == 100);
  CHECK(summary.host_energy.joules == 90);
  CHECK(summary.host_energy.source == "counter");
}

TEST_CASE("thermal events are the phase's own, and none are known if the counter went back") {
  auto samples = cell();
  const std::int64_t counts[] = {2, 5, 5, 9, 12, 40}; // the phase is from the second to the fifth
  for (std::size_t i = 0; i < samples.size(); ++i) {
    samples[i].readings.host.thermal_events = counts[i];
    samples[i].readings.host.fan_rpm = i == 2 ? std::nullopt : std::optional(100.0 * double(i));
    samples[i].readings.host.other_temperature_c = i == 2 ? 70 : 50;
    samples[i].readings.host.other_sensor = i == 2 ? "nvme" : "spd5118";
  }
  const TelemetrySummary summary = summarise(samples, "measure", std::nullopt);
  CHECK(summary.thermal_events == 7);
  CHECK(summary.fan_rpm.max == 300);
  CHECK(summary.other_temperature_c.max == 70);
  CHECK(summary.other_sensor == "nvme");
  samples[3].readings.host.thermal_events = 0;
  CHECK_FALSE(summarise(samples, "measure", std::nullopt).thermal_events.has_value());
  CHECK(summarise(cell(), "measure", std::nullopt).other_sensor.empty());
}

TEST_CASE("what rises is told by the later half of a phase against the earlier") {
  auto samples = cell();
  const double degrees[] = {90, 60, 65, 71, 20, 20}; // 60, 65 and 71 are of the phase
  for (std::size_t i = 0; i < samples.size(); ++i) {
    samples[i].readings.gpus[0].temperature_c = degrees[i];
    samples[i].readings.host.temperature_c = 40 + degrees[i];
    samples[i].readings.gpus[0].throttle_reasons = i == 3 ? 0x4 : 0x1;
  }
  const TelemetrySummary summary = summarise(samples, "measure", 0);
  CHECK(summary.temperature_rise_c == 11);
  CHECK(summary.cpu_temperature_rise_c == 11);
  CHECK(summary.held_back_rise == 1);
  samples.erase(samples.begin() + 2, samples.begin() + 4);
  CHECK_FALSE(summarise(samples, "measure", 0).temperature_rise_c.has_value()); // one sample
  CHECK(summarise(samples, "measure", 0).held_back_rise == 0);
}

TEST_CASE("the PCIe link is the best that was in force") {
  auto samples = cell();
  for (std::size_t i = 0; i < samples.size(); ++i) {
    samples[i].readings.gpus[0].pcie_generation = i == 2 ? 3 : 1;
    samples[i].readings.gpus[0].pcie_width = i == 0 ? 16 : 8; // before the phase
  }
  const TelemetrySummary summary = summarise(samples, "measure", 0);
  CHECK(summary.pcie_generation.max == 3);
  CHECK(summary.pcie_width.max == 8);
}

TEST_CASE("memory spills when the host's grows after the GPU's was full") {
  auto samples = cell();
  for (std::size_t i = 0; i < samples.size(); ++i) {
    samples[i].readings.host.memory_available_bytes = static_cast<std::int64_t>(20 - i) * kGibibyte;
    // Neither includes the driver's own memory, so `used` never comes near the total.
    samples[i].readings.gpus[0].memory_used_bytes = i < 2 ? 4 * kGibibyte : 7 * kGibibyte;
    samples[i].readings.gpus[0].memory_free_bytes = i < 2 ? 3 * kGibibyte : kGibibyte / 8;
  }
  CHECK(spilled_bytes(samples, 0, 8 * kGibibyte) == 3 * kGibibyte);  // from the third sample on
  CHECK_FALSE(spilled_bytes(samples, 0, 4 * kGibibyte).has_value()); // an eighth of a GiB is enough
  CHECK_FALSE(spilled_bytes(samples, 3, 8 * kGibibyte).has_value());
}

TEST_CASE("swap counts by what is moved: a small machine that thrashes uses no more of it") {
  auto samples = cell();
  CHECK_FALSE(swap_traffic(samples).has_value());
  for (std::size_t i = 0; i < samples.size(); ++i) {
    samples[i].readings.host.swap_used_bytes = kGibibyte;
    samples[i].readings.host.swap_traffic_bytes = static_cast<std::int64_t>(10 + i) * kGibibyte;
  }
  CHECK(swap_traffic(samples) == 5 * kGibibyte);
  CHECK(summarise(samples, "measure", std::nullopt).swap_traffic_bytes == 3.0 * kGibibyte);
}

TEST_CASE("cells that share samples have phases of their own") {
  std::vector<TelemetrySample> samples(5);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    samples[i].time_s = static_cast<double>(i);
  }
  const auto phases = [&samples](std::vector<PhaseMark> marks) {
    std::string words;
    for (const TelemetrySample& sample : in_phases(samples, marks)) {
      words += sample.phase + " ";
    }
    return words;
  };
  CHECK(phases({{1, "load"}, {3, "measure"}, {4, "idle"}}) == "idle load load measure idle ");
  CHECK(phases({{2, "load"}, {2, "measure"}}) == "idle idle measure measure measure ");
  CHECK(phases({}) == "idle idle idle idle idle ");
}

TEST_CASE("a parallel device's waiting is energy of the whole from its first run on, not its own") {
  const std::vector<TelemetrySample> samples = {
      sample(0, "wait", 10, 0),       sample(1, "measure", 100, 10), sample(2, "wait", 10, 110),
      sample(3, "measure", 100, 120), sample(4, "wait", 10, 220),    sample(6, "golden", 10, 240)};
  CHECK(summarise(samples, "measure", 0).energy.joules == 200);
  CHECK(summarise(samples, "measure", 0).power_w.mean == 100);
  CHECK(summarise(with_waits(samples, "measure"), "measure", 0).energy.joules == 230);
  CHECK(of_phase(samples, "measure").size() == 2);
}

TEST_CASE("a cell's worker is told from the others that stand by") {
  std::vector<TelemetrySample> samples(2);
  samples[0].readings.host.worker_rss_bytes = 50;
  samples[0].readings.host.workers = {{100, 20}, {200, 30}};
  samples[1].readings.host.worker_rss_bytes = 20;
  samples[1].readings.host.workers = {{100, 20}};
  const auto of_one = of_worker(samples, 200);
  CHECK(of_one[0].readings.host.worker_rss_bytes == 30);
  CHECK(of_one[1].readings.host.worker_rss_bytes == 20); // worker 200 not seen: keeps the total
}

namespace {

/// A sample of two cores, with the core seconds that others have used so far.
TelemetrySample look_at_cores(double time_s, const char* phase, double foreign_s,
                              double steal_s = 0) {
  TelemetrySample made;
  made.time_s = time_s;
  made.phase = phase;
  ProcessorUse& use = made.readings.host.processors;
  use.cores = 2;
  use.total_s = 2 * time_s;
  use.busy_s = foreign_s + time_s; // we have one core
  use.own_s = time_s;
  use.steal_s = steal_s;
  use.throttled_s = time_s / 4;
  use.pressure_s = time_s / 2;
  return made;
}

} // namespace

TEST_CASE("what others had of the cores is a mean over the phase, and its busiest second") {
  std::vector<TelemetrySample> samples = {look_at_cores(0, "load", 0)};
  for (int tenth = 0; tenth <= 35; ++tenth) { // 3.5 s from 1 s on, busy in their second second
    const double in_phase_s = tenth / 10.0;
    const double foreign_s = std::clamp(in_phase_s - 1, 0.0, 1.0);
    samples.push_back(look_at_cores(1 + in_phase_s, tenth < 35 ? "measure" : "golden", foreign_s,
                                    0.1 * in_phase_s));
  }
  const TelemetrySummary summary = summarise(samples, "measure", std::nullopt);
  REQUIRE(summary.others.has_value());
  CHECK(summary.others->cores == 2);
  CHECK(summary.others->seconds == Approx(3.5));
  CHECK(summary.others->foreign_cores == Approx(1 / 3.5));
  CHECK(summary.others->foreign_cores_max ==
        Approx(1).margin(0.11)); // a piece may begin one sample later
  CHECK(summary.others->steal_cores == Approx(0.1));
  CHECK(summary.cpu_throttled_percent.value() == Approx(12.5));
  CHECK(summary.cpu_pressure_percent.value() == Approx(50));
}

TEST_CASE("a phase below a second is one piece, and one look without a figure leaves none") {
  std::vector<TelemetrySample> samples = {look_at_cores(1, "measure", 0),
                                          look_at_cores(1.2, "measure", 0.1),
                                          look_at_cores(1.4, "golden", 0.1)};
  CHECK(summarise(samples, "measure", std::nullopt).others->foreign_cores == Approx(0.25));
  CHECK(summarise(samples, "measure", std::nullopt).others->foreign_cores_max == Approx(0.25));
  samples[1].readings.host.processors = {}; // not at an end, so it is not needed
  CHECK(summarise(samples, "measure", std::nullopt).others->foreign_cores == Approx(0.25));
  samples[2].readings.host.processors = {};
  CHECK_FALSE(summarise(samples, "measure", std::nullopt).others.has_value());
  CHECK_FALSE(summarise({}, "measure", std::nullopt).others.has_value());
}

TEST_CASE("what lies between two visits of a phase is not of it") {
  const std::vector<TelemetrySample> samples = {
      look_at_cores(0, "measure", 0), look_at_cores(2, "load", 0), look_at_cores(4, "measure", 2),
      look_at_cores(6, "golden", 4)};
  const TelemetrySummary summary = summarise(samples, "measure", std::nullopt);
  CHECK(summary.others->seconds == 4);
  CHECK(summary.others->foreign_cores == Approx(0.5));
  CHECK(summary.others->foreign_cores_max == Approx(1));
}
