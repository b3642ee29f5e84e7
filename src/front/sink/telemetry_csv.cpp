#include "sdbench/front/sink/telemetry_csv.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string_view>

#include "sdbench/base/numbers/number_text.h"
#include "sdbench/base/text/escape.h"
#include "sdbench/front/record/csv_text.h"
#include "sdbench/front/telemetry/gpu_reading.h"
#include "sdbench/front/telemetry/host_sensors.h"

namespace sdbench {
namespace {

std::string text(const std::optional<double>& value) {
  return value ? number_text(*value) : "";
}
std::string text(const std::optional<std::int64_t>& value) {
  return value ? std::to_string(*value) : "";
}
std::string text(const std::string& value) {
  return csv_text(escape_text(value));
}

/// Rounds to tenths ("33.3", "0"), because the kernel's clock ticks are no finer.
std::string tenths(double value) {
  return number_text(std::round(value * 10) / 10);
}

std::string mean_load(const HostReading& host) {
  const std::vector<double>& loads = host.core_load_percent;
  const double sum = std::accumulate(loads.begin(), loads.end(), 0.0);
  return loads.empty() ? "" : number_text(sum / static_cast<double>(loads.size()));
}

/// One number per core, with blanks between.
std::string core_loads(const HostReading& host) {
  std::string loads;
  for (const double load : host.core_load_percent) {
    loads += (loads.empty() ? "" : " ") + tenths(load);
  }
  return text(loads);
}

std::string throttle_names(const GpuReading& gpu) {
  return text(gpu.throttle_reasons ? throttle_reason_names(*gpu.throttle_reasons) : "");
}

template <auto Member>
std::string of_gpu(const GpuReading& gpu) {
  return text(gpu.*Member);
}

template <auto Member>
std::string of_host(const HostReading& host) {
  return text(host.*Member);
}

std::string no_text(const GpuReading& /*gpu*/) {
  return text("");
}

std::string no_text(const HostReading& /*host*/) {
  return text("");
}

/// A sensor's column. A null function means that the device lacks the sensor; its field is then
/// empty.
struct Column {
  std::string_view name;
  std::string (*gpu)(const GpuReading& reading);
  std::string (*host)(const HostReading& reading);
};

using G = GpuReading;
using H = HostReading;
constexpr Column kColumns[] = {
    {"load_percent", of_gpu<&G::load_percent>, mean_load},
    {"clock_hz", of_gpu<&G::sm_clock_hz>, of_host<&H::clock_hz>},
    {"memory_clock_hz", of_gpu<&G::memory_clock_hz>, nullptr},
    {"temperature_c", of_gpu<&G::temperature_c>, of_host<&H::temperature_c>},
    {"power_w", of_gpu<&G::power_w>, nullptr},
    {"energy_j", of_gpu<&G::energy_j>, of_host<&H::energy_j>},
    {"fan_percent", of_gpu<&G::fan_percent>, nullptr},
    {"fan_rpm", nullptr, of_host<&H::fan_rpm>},
    {"thermal_events", nullptr, of_host<&H::thermal_events>},
    {"other_temperature_c", nullptr, of_host<&H::other_temperature_c>},
    {"memory_used_bytes", of_gpu<&G::memory_used_bytes>, nullptr},
    {"memory_free_bytes", of_gpu<&G::memory_free_bytes>, nullptr},
    {"pcie_generation", of_gpu<&G::pcie_generation>, nullptr},
    {"pcie_width", of_gpu<&G::pcie_width>, nullptr},
    {"memory_available_bytes", nullptr, of_host<&H::memory_available_bytes>},
    {"swap_used_bytes", nullptr, of_host<&H::swap_used_bytes>},
    {"swap_traffic_bytes", nullptr, of_host<&H::swap_traffic_bytes>},
    {"worker_rss_bytes", nullptr, of_host<&H::worker_rss_bytes>},
    {"throttle_reasons", throttle_names, no_text},
    {"core_load_percent", no_text, core_loads},
    {"problem", [](const G& gpu) { return text(gpu.problem); }, no_text},
};

/// The cells that tell what a row is about. `device` is "gpu0" (in NVML's order) or "host".
std::vector<std::string> row_head(const TelemetrySample& sample, const std::string& time_utc,
                                  const TelemetryTag& tag, const std::string& device,
                                  const std::string& uuid) {
  return {number_text(sample.time_s),
          text(time_utc),
          text(tag.run_id),
          text(tag.cell_id),
          text(tag.phase),
          text(device),
          text(uuid)};
}

/// The row of a reading; `way` is the member of Column for it, `gpu` or `host`.
template <typename Reading>
std::string row_of(std::vector<std::string> cells, const Reading& reading,
                   std::string (*Column::*way)(const Reading&)) {
  for (const Column& column : kColumns) {
    cells.push_back(column.*way == nullptr ? "" : (column.*way)(reading));
  }
  return csv_line(cells);
}

} // namespace

std::string telemetry_csv_header() {
  std::vector<std::string> names{"time_s", "time_utc", "run_id", "cell_id",
                                 "phase",  "device",   "uuid"};
  for (const Column& column : kColumns) {
    names.emplace_back(column.name);
  }
  return csv_line(names);
}

std::string telemetry_csv_rows(const TelemetrySample& sample, const TelemetryTags& tags,
                               const std::vector<GpuFacts>& gpus, const std::string& time_utc) {
  std::string lines;
  for (std::size_t i = 0; i < sample.readings.gpus.size(); ++i) {
    const TelemetryTag tag = i < tags.gpus.size() ? tags.gpus[i] : TelemetryTag{};
    const std::string uuid = i < gpus.size() ? gpus[i].uuid : "";
    lines += row_of(row_head(sample, time_utc, tag, "gpu" + std::to_string(i), uuid),
                    sample.readings.gpus[i], &Column::gpu);
  }
  return lines + row_of(row_head(sample, time_utc, tags.host, "host", ""), sample.readings.host,
                        &Column::host);
}

} // namespace sdbench
