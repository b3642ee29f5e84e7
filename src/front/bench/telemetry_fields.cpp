#include "sdbench/front/bench/telemetry_fields.h"

#include <cstdint>
#include <optional>
#include <string_view>

#include "sdbench/base/device/device_kind_table.h"
#include "sdbench/front/telemetry/gpu_reading.h"

namespace sdbench {
namespace {

std::optional<std::int64_t> whole(const std::optional<double>& value) {
  return value ? std::optional(static_cast<std::int64_t>(*value)) : std::nullopt;
}

void fill_gpu(RunRecord& record, const TelemetrySummary& measured) {
  record.gpu_load_percent_min = measured.load_percent.min;
  record.gpu_load_percent_mean = measured.load_percent.mean;
  record.gpu_load_percent_max = measured.load_percent.max;
  record.sm_clock_hz_min = measured.sm_clock_hz.min;
  record.sm_clock_hz_mean = measured.sm_clock_hz.mean;
  record.sm_clock_hz_max = measured.sm_clock_hz.max;
  record.memory_clock_hz_min = measured.memory_clock_hz.min;
  record.memory_clock_hz_mean = measured.memory_clock_hz.mean;
  record.memory_clock_hz_max = measured.memory_clock_hz.max;
  record.temperature_c_start = measured.temperature_start_c;
  record.temperature_c_mean = measured.temperature_c.mean;
  record.temperature_c_max = measured.temperature_c.max;
  record.power_w_min = measured.power_w.min;
  record.power_w_mean = measured.power_w.mean;
  record.power_w_max = measured.power_w.max;
  record.fan_percent_max = measured.fan_percent.max;
  record.device_memory_used_max_bytes = whole(measured.memory_used_bytes.max);
  record.pcie_generation_used = whole(measured.pcie_generation.max);
  record.pcie_width_used = whole(measured.pcie_width.max);
  record.pcie_replays = whole(measured.pcie_replays);
  record.throttle_reasons =
      measured.throttle_reasons ? throttle_reason_names(*measured.throttle_reasons) : "";
}

void fill_host(RunRecord& record, const TelemetrySummary& measured) {
  record.host_energy_j = measured.host_energy.joules;
  record.cpu_load_percent = measured.cpu_load_percent;
  if (measured.others) {
    record.foreign_cpu_percent_mean = measured.others->foreign_percent();
    record.foreign_cpu_percent_max = measured.others->foreign_percent_max();
    record.steal_percent = measured.others->steal_percent();
  }
  record.cpu_throttled_percent = measured.cpu_throttled_percent;
  record.cpu_pressure_percent = measured.cpu_pressure_percent;
  record.cpu_clock_hz_min = measured.cpu_clock_hz.min;
  record.cpu_clock_hz_mean = measured.cpu_clock_hz.mean;
  record.cpu_clock_hz_max = measured.cpu_clock_hz.max;
  record.cpu_temperature_c_max = measured.cpu_temperature_c.max;
  record.cpu_thermal_events = whole(measured.thermal_events);
  record.fan_rpm_max = measured.fan_rpm.max;
  record.other_temperature_c_max = measured.other_temperature_c.max;
  record.other_temperature_sensor = measured.other_sensor;
  record.worker_rss_max_bytes = whole(measured.worker_rss_bytes.max);
  record.swap_used_max_bytes = whole(measured.swap_used_bytes.max);
  record.swap_traffic_bytes = whole(measured.swap_traffic_bytes);
}

bool is_measured_by_host(const RunRecord& record) {
  return has_sensors(device_kind_named(record.device_kind), DeviceSensors::kHost);
}

/// CUDA reports an instance's UUID like a whole GPU's, but accepts it only with the prefix for
/// instances.
void name_instance(RunRecord& record, const GpuFacts& gpu) {
  constexpr std::string_view kWhole = "GPU-";
  if (record.device_uuid != gpu.uuid && record.device_uuid.starts_with(kWhole)) {
    record.device_uuid.replace(0, kWhole.size(), "MIG-");
  }
}

} // namespace

void fill_telemetry(RunRecord& record, const TelemetrySummary& measured) {
  if (measured.sample_count == 0) {
    return; // it never reached the timed part
  }
  record.telemetry_samples = measured.sample_count;
  fill_gpu(record, measured);
  fill_host(record, measured);
  const bool on_cpu = is_measured_by_host(record);
  if (on_cpu && record.parallel_role == kRoleDevice) {
    return; // the energy includes all that compute on it
  }
  const Energy& energy = on_cpu ? measured.host_energy : measured.energy;
  record.energy_j = energy.joules;
  record.energy_source = energy.joules ? energy.source : "";
  const auto images = static_cast<double>(record.repeat * record.images);
  // A run that --max-time cut also used energy, but gave no image.
  if (energy.joules && images > 0 && record.status == "ok" && !record.partial_run &&
      is_enough_for_image(energy.source, measured.seconds, measured.sample_count)) {
    record.j_per_image = *energy.joules / images;
  }
}

void fill_parallel_energy(RunRecord& record, const TelemetrySummary& with_waits) {
  record.host_energy_j = with_waits.host_energy.joules;
  if (!is_measured_by_host(record)) {
    record.parallel_energy_j = with_waits.energy.joules;
  }
}

void fill_xids(RunRecord& record, const std::optional<Xids>& xids) {
  if (xids) {
    record.xid_count = xids->count;
    record.xid_last = xids->last;
  }
}

void clear_energy(RunRecord& record) {
  record.energy_j.reset();
  record.energy_source.clear();
  record.j_per_image.reset();
  record.host_energy_j.reset();
  record.parallel_energy_j.reset();
}

void fill_gpu_facts(RunRecord& record, const GpuFacts& gpu) {
  record.ecc = gpu.ecc;
  record.mig = gpu.mig;
  record.pcie_generation = gpu.pcie_generation;
  record.pcie_width = gpu.pcie_width;
  if (!gpu.cuda_driver_version.empty()) {
    record.cuda_driver_version = gpu.cuda_driver_version;
  }
  record.power_limit_w = gpu.power_limit_w;
  record.vbios_version = gpu.vbios_version;
  record.board_id = gpu.board_id;
  record.board_vendor = gpu.board_vendor;
  record.bar1_bytes = gpu.bar1_bytes;
  record.power_limit_w_default = gpu.power_limit_default_w;
  record.power_limit_w_least = gpu.power_limit_least_w;
  record.power_limit_w_greatest = gpu.power_limit_greatest_w;
  record.kernel_module = gpu.kernel_module;
  record.persistence_mode = gpu.persistence_mode;
  record.gpu_virtualisation = gpu.virtualisation;
  record.external_link = gpu.external_link;
  if (gpu.mig == "on") {
    name_instance(record, gpu);
  }
  if (is_part_of_card(gpu)) { // each part reports the card's energy; a sum would count it twice
    record.parallel_energy_j.reset();
  }
}

} // namespace sdbench
