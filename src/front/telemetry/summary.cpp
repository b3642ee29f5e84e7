#include "sdbench/front/telemetry/summary.h"

#include <algorithm>
#include <cmath>

#include "sdbench/base/numbers/statistics.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/base/types/cell_stage.h"
#include "sdbench/front/telemetry/gpu_reading.h"
#include "sdbench/front/telemetry/host_sensors.h"
#include "sdbench/front/telemetry/processor_use.h"

namespace sdbench {
namespace {

using Samples = std::vector<const TelemetrySample*>;

/// The values of `get` as doubles, without the samples that have no value.
template <typename Get>
std::vector<double> present(const Samples& samples, const Get& get) {
  return mapped_known(
      samples, [&](const TelemetrySample* sample) { return std::optional<double>(get(*sample)); });
}

template <typename Get>
Spread spread(const Samples& samples, const Get& get) {
  const std::vector<double> values = present(samples, get);
  if (values.empty()) {
    return {};
  }
  const auto [least, greatest] = std::ranges::minmax(values);
  return {least, mean(values), greatest};
}

/// Mean of the later half of the values minus mean of the earlier half. For an odd count, the
/// middle value is in neither half. Nothing for fewer than two values.
std::optional<double> rise(std::span<const double> values) {
  const std::size_t half = values.size() / 2;
  return half == 0 ? std::nullopt
                   : std::optional(*mean(values.last(half)) - *mean(values.first(half)));
}

/// Two consecutive samples, the first of them in the phase. The steps of a phase cover its time.
struct Step {
  const TelemetrySample* from;
  const TelemetrySample* to;
};

std::vector<Step> steps_of(std::span<const TelemetrySample> samples, std::string_view phase) {
  std::vector<Step> steps;
  for (std::size_t i = 0; i + 1 < samples.size(); ++i) {
    if (samples[i].phase == phase) {
      steps.push_back({&samples[i], &samples[i + 1]});
    }
  }
  return steps;
}

/// Sum of `part` over the steps; nothing if there are no steps or if `part` of any step is empty.
template <typename Part>
std::optional<double> sum(const std::vector<Step>& steps, const Part& part) {
  double total = 0;
  for (const Step& step : steps) {
    const std::optional<double> value = part(*step.from, *step.to);
    if (!value) {
      return std::nullopt;
    }
    total += *value;
  }
  return steps.empty() ? std::nullopt : std::optional(total);
}

/// Growth of a counter. Nothing if it decreases, because it was then reset.
template <typename Get>
std::optional<double> growth(const std::vector<Step>& steps, const Get& get) {
  return sum(steps, [&get](const auto& from, const auto& to) -> std::optional<double> {
    const std::optional<double> before = get(from);
    const std::optional<double> after = get(to);
    return before && after && *after >= *before ? std::optional(*after - *before) : std::nullopt;
  });
}

template <typename Get>
std::optional<double> integral(const std::vector<Step>& steps, const Get& get) {
  return sum(steps, [&get](const auto& from, const auto& to) -> std::optional<double> {
    const std::optional<double> before = get(from);
    const std::optional<double> after = get(to);
    return before && after ? std::optional((to.time_s - from.time_s) * (*before + *after) / 2)
                           : std::nullopt;
  });
}

/// NVIDIA's energy counters are updated every 20 to 100 ms.
constexpr double kCounterStepSeconds = 0.1;
/// From Ampere on, NVML's power is the mean of the last second.
constexpr double kPowerMeanSeconds = 1;

template <typename Counter, typename Power>
Energy energy_of(const std::vector<Step>& steps, double seconds, const Counter& counter,
                 const Power& power) {
  if (const auto joules = growth(steps, counter); joules && seconds >= kCounterStepSeconds) {
    return {joules, "counter"};
  }
  if (const auto joules = integral(steps, power); joules && seconds >= kPowerMeanSeconds) {
    return {joules, "integrated"};
  }
  return {};
}

/// The steps that start at least a second after the phase was entered. Power, a mean over the last
/// second, then belongs to the phase alone.
std::vector<Step> settled(const std::vector<Step>& steps) {
  std::vector<Step> later;
  double visit_s = 0;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (i == 0 || steps[i - 1].to != steps[i].from) {
      visit_s = steps[i].from->time_s;
    }
    if (steps[i].from->time_s - visit_s >= kPowerMeanSeconds) {
      later.push_back(steps[i]);
    }
  }
  return later;
}

template <typename Counter, typename Power>
std::optional<double> energy_gap(const std::vector<Step>& steps, const Counter& counter,
                                 const Power& power) {
  constexpr double kShortest = 2; // seconds: two steps of the counter are a tenth of it
  const auto seconds = sum(steps, [](const auto& from, const auto& to) {
    return std::optional(to.time_s - from.time_s);
  });
  const auto counted = growth(steps, counter);
  const auto integrated = integral(steps, power);
  if (seconds.value_or(0) < kShortest || !counted || !integrated) {
    return std::nullopt;
  }
  const double greater = std::max(*counted, *integrated);
  return greater > 0 ? std::optional(std::abs(*counted - *integrated) / greater) : std::nullopt;
}

void summarise_gpu(TelemetrySummary& summary, const Samples& inside, const std::vector<Step>& steps,
                   std::size_t gpu) {
  const auto of = [gpu](auto member) {
    return [gpu, member](const TelemetrySample& sample) {
      return gpu < sample.readings.gpus.size() ? sample.readings.gpus[gpu].*member : std::nullopt;
    };
  };
  summary.load_percent = spread(inside, of(&GpuReading::load_percent));
  summary.sm_clock_hz = spread(inside, of(&GpuReading::sm_clock_hz));
  summary.memory_clock_hz = spread(inside, of(&GpuReading::memory_clock_hz));
  summary.temperature_c = spread(inside, of(&GpuReading::temperature_c));
  if (const auto values = present(inside, of(&GpuReading::temperature_c)); !values.empty()) {
    summary.temperature_start_c = values.front();
    summary.temperature_rise_c = rise(values);
  }
  summary.power_w = spread(inside, of(&GpuReading::power_w));
  summary.fan_percent = spread(inside, of(&GpuReading::fan_percent));
  summary.memory_used_bytes = spread(inside, of(&GpuReading::memory_used_bytes));
  summary.pcie_generation = spread(inside, of(&GpuReading::pcie_generation));
  summary.pcie_width = spread(inside, of(&GpuReading::pcie_width));
  summary.pcie_replays = growth(steps, of(&GpuReading::pcie_replays));
  double throttled = 0;
  double capped = 0;
  std::vector<double> held_back; // 1 or 0 for each sample
  for (const TelemetrySample* sample : inside) {
    if (const auto bits = of(&GpuReading::throttle_reasons)(*sample)) {
      summary.throttle_reasons = summary.throttle_reasons.value_or(0) | *bits;
      held_back.push_back((*bits & (kThrottledBits | kPowerCapBit)) != 0 ? 1 : 0);
      throttled += (*bits & kThrottledBits) != 0 ? 1 : 0;
      capped += (*bits & kPowerCapBit) != 0 ? 1 : 0;
    }
  }
  if (const auto told = static_cast<double>(held_back.size()); told > 0) {
    summary.throttled_share = throttled / told;
    summary.power_capped_share = capped / told;
    summary.held_back_rise = rise(held_back).value_or(0);
  }
  summary.energy =
      energy_of(steps, summary.seconds, of(&GpuReading::energy_j), of(&GpuReading::power_w));
  summary.energy_gap =
      energy_gap(settled(steps), of(&GpuReading::energy_j), of(&GpuReading::power_w));
}

std::optional<OthersShare> share_between(const TelemetrySample& from, const TelemetrySample& to) {
  return others_share(from.readings.host.processors, to.readings.host.processors,
                      to.time_s - from.time_s);
}

/// Means over all steps. The maximum is taken over pieces of a second or more, because the kernel's
/// clock ticks every 10 ms. Nothing if any piece has no figures.
std::optional<OthersShare> others_in(const std::vector<Step>& steps) {
  constexpr double kPieceSeconds = 1;
  std::optional<OthersShare> all;
  double foreign_s = 0; // core seconds, like steal_s
  double steal_s = 0;
  double greatest = 0;
  for (std::size_t first = 0, last = 0; first < steps.size(); first = last + 1) {
    last = first;
    // Joins adjacent steps until the piece is long enough, and joins a rest that is too short.
    const auto goes_on = [&] {
      return last + 1 < steps.size() && steps[last].to == steps[last + 1].from &&
             (steps[last].to->time_s - steps[first].from->time_s < kPieceSeconds ||
              steps.back().to->time_s - steps[last].to->time_s < kPieceSeconds);
    };
    while (goes_on()) {
      ++last;
    }
    const auto piece = share_between(*steps[first].from, *steps[last].to);
    if (!piece) {
      return std::nullopt;
    }
    all = all ? all : piece;
    all->seconds += first == 0 ? 0 : piece->seconds;
    foreign_s += piece->foreign_cores * piece->seconds;
    steal_s += piece->steal_cores * piece->seconds;
    greatest = std::max(greatest, piece->foreign_cores);
  }
  if (all && all->seconds > 0) {
    all->foreign_cores = foreign_s / all->seconds;
    all->steal_cores = steal_s / all->seconds;
    all->foreign_cores_max = greatest;
  }
  return all;
}

/// At most 100: a part is added up by itself, so rounding may make it exceed the whole.
double percent_of(double part, double whole) {
  return std::min(100.0, 100 * part / whole);
}

void summarise_host(TelemetrySummary& summary, const Samples& inside,
                    const std::vector<Step>& steps) {
  const auto of = [](auto member) {
    return [member](const TelemetrySample& sample) { return sample.readings.host.*member; };
  };
  const auto busy = growth(steps, of(&HostReading::cpu_busy_s));
  const auto total = growth(steps, of(&HostReading::cpu_total_s));
  if (busy && total && *total > 0) {
    summary.cpu_load_percent = percent_of(*busy, *total);
  }
  const auto of_processors = [](auto member) {
    return
        [member](const TelemetrySample& sample) { return sample.readings.host.processors.*member; };
  };
  summary.others = others_in(steps);
  const auto throttled = growth(steps, of_processors(&ProcessorUse::throttled_s));
  const auto all_cores = growth(steps, of_processors(&ProcessorUse::total_s));
  if (throttled && all_cores && *all_cores > 0) {
    summary.cpu_throttled_percent = percent_of(*throttled, *all_cores);
  }
  const auto pressure = growth(steps, of_processors(&ProcessorUse::pressure_s));
  if (pressure && summary.seconds > 0) {
    summary.cpu_pressure_percent = percent_of(*pressure, summary.seconds);
  }
  summary.cpu_clock_hz = spread(inside, of(&HostReading::clock_hz));
  summary.cpu_temperature_c = spread(inside, of(&HostReading::temperature_c));
  summary.cpu_temperature_rise_c = rise(present(inside, of(&HostReading::temperature_c)));
  summary.thermal_events = growth(steps, of(&HostReading::thermal_events));
  summary.fan_rpm = spread(inside, of(&HostReading::fan_rpm));
  summary.other_temperature_c = spread(inside, of(&HostReading::other_temperature_c));
  const auto hottest = std::ranges::find_if(inside, [&](const TelemetrySample* sample) {
    return sample->readings.host.other_temperature_c == summary.other_temperature_c.max;
  });
  summary.other_sensor = hottest == inside.end() ? "" : (*hottest)->readings.host.other_sensor;
  summary.worker_rss_bytes = spread(inside, of(&HostReading::worker_rss_bytes));
  summary.swap_used_bytes = spread(inside, of(&HostReading::swap_used_bytes));
  summary.swap_traffic_bytes = growth(steps, of(&HostReading::swap_traffic_bytes));
  if (const auto joules = growth(steps, of(&HostReading::energy_j))) {
    summary.host_energy = {joules, "counter"};
  }
}

} // namespace

bool is_enough_for_image(std::string_view source, double seconds, std::int64_t sample_count) {
  constexpr double kSecondsOfCounter = 1;
  constexpr std::int64_t kSamplesOfPower = 10;
  // Several devices may differ: "counter+integrated" needs the stricter rule.
  return source == "counter" ? seconds >= kSecondsOfCounter : sample_count >= kSamplesOfPower;
}

std::vector<TelemetrySample> in_phases(std::vector<TelemetrySample> samples,
                                       std::span<const PhaseMark> marks) {
  std::size_t next = 0;
  std::string phase = "idle";
  for (TelemetrySample& sample : samples) {
    while (next < marks.size() && marks[next].time_s <= sample.time_s) {
      phase = marks[next++].phase;
    }
    sample.phase = phase;
  }
  return samples;
}

std::vector<TelemetrySample> with_waits(std::span<const TelemetrySample> samples,
                                        std::string_view phase) {
  std::vector<TelemetrySample> changed(samples.begin(), samples.end());
  bool begun = false;
  for (TelemetrySample& sample : changed) {
    begun = begun || sample.phase == phase;
    if (begun && sample.phase == name_of(CellStage::kWait)) {
      sample.phase = phase;
    }
  }
  return changed;
}

std::vector<TelemetrySample> of_phase(std::span<const TelemetrySample> samples,
                                      std::string_view phase) {
  return filtered(samples, [&](const TelemetrySample& sample) { return sample.phase == phase; });
}

std::vector<TelemetrySample> of_worker(std::vector<TelemetrySample> samples,
                                       std::int64_t worker_process) {
  for (TelemetrySample& sample : samples) {
    HostReading& host = sample.readings.host;
    for (const ProcessMemory& worker : host.workers) {
      if (worker.process == worker_process) {
        host.worker_rss_bytes = worker.rss_bytes;
      }
    }
  }
  return samples;
}

TelemetrySummary summarise(std::span<const TelemetrySample> samples, std::string_view phase,
                           std::optional<std::size_t> gpu) {
  Samples inside;
  for (const TelemetrySample& sample : samples) {
    if (sample.phase == phase) {
      inside.push_back(&sample);
    }
  }
  const std::vector<Step> steps = steps_of(samples, phase);
  TelemetrySummary summary;
  summary.sample_count = static_cast<std::int64_t>(inside.size());
  for (const Step& step : steps) {
    summary.seconds += step.to->time_s - step.from->time_s;
  }
  if (gpu) {
    summarise_gpu(summary, inside, steps, *gpu);
  }
  summarise_host(summary, inside, steps);
  return summary;
}

std::optional<std::int64_t> spilled_bytes(std::span<const TelemetrySample> samples, std::size_t gpu,
                                          std::int64_t memory_total_bytes) {
  constexpr double kHardlyAny = 0.03;
  const double hardly_any_bytes = kHardlyAny * static_cast<double>(memory_total_bytes);
  std::optional<std::int64_t> available_when_full;
  std::optional<std::int64_t> most;
  for (const TelemetrySample& sample : samples) {
    const auto available = sample.readings.host.memory_available_bytes;
    if (!available || gpu >= sample.readings.gpus.size()) {
      continue;
    }
    const auto free = sample.readings.gpus[gpu].memory_free_bytes;
    if (!available_when_full && free && static_cast<double>(*free) < hardly_any_bytes) {
      available_when_full = available;
    }
    if (available_when_full) {
      most = std::max(most.value_or(0), *available_when_full - *available);
    }
  }
  return most;
}

std::string gpu_problem(std::span<const TelemetrySample> samples, std::size_t gpu) {
  for (const TelemetrySample& sample : samples) {
    if (gpu < sample.readings.gpus.size() && !sample.readings.gpus[gpu].problem.empty()) {
      return sample.readings.gpus[gpu].problem;
    }
  }
  return {};
}

std::optional<Xids> xids_in(std::span<const TelemetrySample> samples, std::size_t gpu) {
  std::optional<std::int64_t> before;
  Xids xids;
  for (const TelemetrySample& sample : samples) {
    if (gpu >= sample.readings.gpus.size() || !sample.readings.gpus[gpu].xid_count) {
      continue; // NVML did not answer, but goes on counting
    }
    const GpuReading& reading = sample.readings.gpus[gpu];
    before = before ? before : reading.xid_count;
    xids.count = *reading.xid_count - *before;
    xids.last = xids.count > 0 ? reading.xid_last : std::nullopt;
  }
  return before ? std::optional(xids) : std::nullopt;
}

std::optional<std::int64_t> swap_traffic(std::span<const TelemetrySample> samples) {
  std::optional<std::int64_t> first;
  std::optional<std::int64_t> last;
  for (const TelemetrySample& sample : samples) {
    if (const auto moved = sample.readings.host.swap_traffic_bytes) {
      first = first ? first : moved;
      last = moved;
    }
  }
  return first ? std::optional(*last - *first) : std::nullopt;
}

} // namespace sdbench
