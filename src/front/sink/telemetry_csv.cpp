#include "sdbench/front/sink/telemetry_csv.h"

#include <cmath>
#include <cstdint>
#include <optional>

#include "sdbench/base/core/escape.h"
#include "sdbench/base/core/number_text.h"
#include "sdbench/base/record/csv_text.h"
#include "sdbench/base/telemetry/gpu_sensors.h"
#include "sdbench/base/telemetry/host_sensors.h"

namespace sdbench {
namespace {

/// One row before it becomes text; what a device lacks stays empty.
struct Row {
  TelemetryTag tag;
  std::string device; ///< "gpu0" in NVML's order, or "host"
  std::string uuid;
  std::optional<double> load_percent;
  std::optional<double> clock_hz;
  std::optional<double> memory_clock_hz;
  std::optional<double> temperature_c;
  std::optional<double> power_w;
  std::optional<double> energy_j;
  std::optional<double> fan_percent;
  std::optional<std::int64_t> memory_used_bytes;
  std::optional<std::int64_t> memory_free_bytes;
  std::optional<std::int64_t> pcie_generation;
  std::optional<std::int64_t> pcie_width;
  std::optional<std::int64_t> memory_available_bytes;
  std::optional<std::int64_t> swap_used_bytes;
  std::optional<std::int64_t> swap_traffic_bytes;
  std::optional<std::int64_t> worker_rss_bytes;
  std::string throttle_reasons;
  std::string core_load_percent; ///< one number a core, with blanks between
  std::string problem;
};

std::string text(const std::optional<double>& value) {
  return value ? number_text(*value) : "";
}
std::string text(const std::optional<std::int64_t>& value) {
  return value ? std::to_string(*value) : "";
}
std::string quoted(const std::string& value) {
  return csv_text(escape_text(value));
}

/// "33.3", "0": a kernel's clock ticks are no finer.
std::string tenths(double value) {
  return number_text(std::round(value * 10) / 10);
}

Row gpu_row(std::size_t index, const GpuReading& gpu, const std::vector<GpuFacts>& facts) {
  Row row;
  row.device = "gpu" + std::to_string(index);
  row.uuid = index < facts.size() ? facts[index].uuid : "";
  row.load_percent = gpu.load_percent;
  row.clock_hz = gpu.sm_clock_hz;
  row.memory_clock_hz = gpu.memory_clock_hz;
  row.temperature_c = gpu.temperature_c;
  row.power_w = gpu.power_w;
  row.energy_j = gpu.energy_j;
  row.fan_percent = gpu.fan_percent;
  row.memory_used_bytes = gpu.memory_used_bytes;
  row.memory_free_bytes = gpu.memory_free_bytes;
  row.pcie_generation = gpu.pcie_generation;
  row.pcie_width = gpu.pcie_width;
  row.throttle_reasons = gpu.throttle_reasons ? throttle_reason_names(*gpu.throttle_reasons) : "";
  row.problem = gpu.problem;
  return row;
}

Row host_row(const HostReading& host) {
  Row row;
  row.device = "host";
  double sum = 0;
  for (const double load : host.core_load_percent) {
    row.core_load_percent += (row.core_load_percent.empty() ? "" : " ") + tenths(load);
    sum += load;
  }
  if (!host.core_load_percent.empty()) {
    row.load_percent = sum / static_cast<double>(host.core_load_percent.size());
  }
  row.clock_hz = host.clock_hz;
  row.temperature_c = host.temperature_c;
  row.energy_j = host.energy_j;
  row.memory_available_bytes = host.memory_available_bytes;
  row.swap_used_bytes = host.swap_used_bytes;
  row.swap_traffic_bytes = host.swap_traffic_bytes;
  row.worker_rss_bytes = host.worker_rss_bytes;
  return row;
}

} // namespace

std::string telemetry_csv_header() {
  return "time_s,time_utc,run_id,cell_id,phase,device,uuid,load_percent,clock_hz,memory_clock_hz,"
         "temperature_c,power_w,energy_j,fan_percent,memory_used_bytes,memory_free_bytes,"
         "pcie_generation,pcie_width,memory_available_bytes,swap_used_bytes,swap_traffic_bytes,"
         "worker_rss_bytes,throttle_reasons,core_load_percent,problem\n";
}

std::string telemetry_csv_rows(const TelemetrySample& sample, const TelemetryTags& tags,
                               const std::vector<GpuFacts>& gpus, const std::string& time_utc) {
  std::vector<Row> rows;
  for (std::size_t i = 0; i < sample.readings.gpus.size(); ++i) {
    rows.push_back(gpu_row(i, sample.readings.gpus[i], gpus));
    rows.back().tag = i < tags.gpus.size() ? tags.gpus[i] : TelemetryTag{};
  }
  rows.push_back(host_row(sample.readings.host));
  rows.back().tag = tags.host;
  std::string lines;
  for (const Row& row : rows) {
    lines += csv_line({number_text(sample.time_s),
                       quoted(time_utc),
                       quoted(row.tag.run_id),
                       quoted(row.tag.cell_id),
                       quoted(row.tag.phase),
                       quoted(row.device),
                       quoted(row.uuid),
                       text(row.load_percent),
                       text(row.clock_hz),
                       text(row.memory_clock_hz),
                       text(row.temperature_c),
                       text(row.power_w),
                       text(row.energy_j),
                       text(row.fan_percent),
                       text(row.memory_used_bytes),
                       text(row.memory_free_bytes),
                       text(row.pcie_generation),
                       text(row.pcie_width),
                       text(row.memory_available_bytes),
                       text(row.swap_used_bytes),
                       text(row.swap_traffic_bytes),
                       text(row.worker_rss_bytes),
                       quoted(row.throttle_reasons),
                       quoted(row.core_load_percent),
                       quoted(row.problem)});
  }
  return lines;
}

} // namespace sdbench
