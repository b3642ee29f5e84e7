#include "sdbench/front/bench/cell_telemetry.h"

#include <limits>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <unistd.h>

#include "sdbench/base/device/device_info.h"
#include "sdbench/base/device/device_kind_table.h"
#include "sdbench/base/executor/run_sample.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/front/bench/telemetry_fields.h"
#include "sdbench/front/record/flags.h"
#include "sdbench/front/sink/telemetry_csv.h"
#include "sdbench/front/telemetry/gpu_reading.h"
#include "sdbench/front/telemetry/sensor_sampler.h"
#include "sdbench/front/telemetry/summary.h"
#include "sdbench/front/telemetry/warnings.h"

namespace sdbench {
namespace {

/// Seconds of all timed runs. Nothing unless the cell ended well and its last run is whole, because
/// otherwise the timed part contains more than runs.
std::optional<double> seconds_of_runs(const RunRecord& record) {
  if (record.status != "ok" || record.partial_run || record.samples.empty()) {
    return std::nullopt;
  }
  double seconds = 0;
  for (const RunSample& sample : record.samples) {
    seconds += sample.e2e_s;
  }
  return seconds;
}

} // namespace

CellTelemetry::CellTelemetry(Telemetry& telemetry, ExecutorObserver& observer, TelemetryTag tag,
                             std::optional<TelemetryTag> shared)
    : telemetry_(telemetry), observer_(observer), is_part_(shared.has_value()),
      processes_before_(telemetry.process_times()), start_s_(steady_seconds()),
      suspended_before_s_(telemetry.suspended_s()) {
  key_ = telemetry.begin_cell(std::move(tag), std::move(shared));
}

void CellTelemetry::on_event(const CellEvent& event) {
  const auto* const stage = std::get_if<StageEvent>(&event);
  if (stage != nullptr) {
    enter(stage->stage); // first, because it ends the previous phase
  } else if (const auto* const worker = std::get_if<WorkerEvent>(&event)) {
    worker_ = worker->process;
  }
  observer_.on_event(event);
  if (const auto* const device = std::get_if<DeviceEvent>(&event)) {
    watch(device->device);
  } else if (const auto* const loaded = std::get_if<LoadedEvent>(&event)) {
    need_cores(loaded->so_far);
  } else if (stage != nullptr && std::exchange(is_loaded_, false)) {
    warn_of_others();
  }
}

void CellTelemetry::enter(CellStage stage) {
  telemetry_.enter(key_, stage);
  if (stage != CellStage::kMeasure && stage != CellStage::kWait) {
    look_at_processes();
  }
}

/// Warns before the timed runs, which may take hours. The record's flag is about the timed runs.
void CellTelemetry::warn_of_others() {
  const auto others = telemetry_.others_so_far(key_);
  if (others && is_busy(*others, needed_) && telemetry_.is_news("busy")) {
    observer_.on_event(NoteEvent{
        busy_warning(*others, other_programs(), telemetry_.machine().slurm.sharing).text});
  }
}

void CellTelemetry::watch(const DeviceInfo& device) {
  find_device(device);
  look_at_processes();
  warn(setup_warnings(telemetry_.machine(), gpu_ ? &*gpu_ : nullptr, gpu_ ? &processes_ : nullptr));
}

void CellTelemetry::find_device(const DeviceInfo& device) {
  needed_.on_cpu = has_sensors(device.kind, DeviceSensors::kHost);
  if (needed_.on_cpu) {
    return;
  }
  if (const GpuFacts* const found = find_gpu(telemetry_.gpus(), device.uuid, device.pci_address)) {
    gpu_ = *found;
    telemetry_.set_gpu(key_, gpu_->index);
  } else if (telemetry_.is_news("no_telemetry")) {
    const std::string& problem = telemetry_.nvml_problem();
    observer_.on_event(NoteEvent{"no telemetry of this GPU: " +
                                 (problem.empty() ? "NVML does not list it" : problem)});
  }
}

void CellTelemetry::look_at_processes() {
  if (!gpu_) {
    return;
  }
  const GpuProcesses now = telemetry_.processes(gpu_->index);
  if (!now.seen) {
    return; // before the worker is on the GPU, or if processes cannot be listed
  }
  processes_.seen = true;
  add_new(processes_.others, now.others);
  add_new(processes_.drawing, now.drawing);
}

void CellTelemetry::warn(const std::vector<Warning>& warnings) {
  for (const Warning& warning : warnings) {
    flags_.insert(warning.flag);
    if (telemetry_.is_news(warning.flag)) {
      observer_.on_event(NoteEvent{warning.text});
    }
  }
}

void CellTelemetry::finish(RunRecord& record) {
  const std::vector<TelemetrySample> samples = of_worker(telemetry_.end_cell(key_), worker_);
  look_at_processes();
  const auto index = gpu_ ? std::optional(gpu_->index) : std::nullopt;
  const std::string_view timed = name_of(CellStage::kMeasure);
  const TelemetrySummary measured = summarise(samples, timed, index);
  fill_telemetry(record, measured);
  if (is_part_) {
    fill_parallel_energy(record, summarise(with_waits(samples, timed), timed, index));
  }
  const bool busy = measured.others && is_busy(*measured.others, needed_);
  if (busy) {
    record.busy_programs = other_programs();
  }
  CellFindings findings{.measured = &measured,
                        .gpu = gpu_ ? &*gpu_ : nullptr,
                        .drift = has_flag(record, "drift") ? record.drift : std::nullopt,
                        .spilled_bytes = {},
                        .swap_traffic_bytes = swap_traffic(samples),
                        .others = busy ? measured.others : std::nullopt,
                        .other_programs = record.busy_programs,
                        .slurm_sharing = telemetry_.machine().slurm.sharing,
                        .runs_s = seconds_of_runs(record),
                        .suspended_s = telemetry_.suspended_s() - suspended_before_s_,
                        .in_wsl = telemetry_.machine().container == "wsl"};
  if (was_held_up(findings) || was_suspended(findings)) {
    clear_energy(record);
  }
  if (gpu_) {
    fill_gpu_facts(record, *gpu_);
    findings.gpu_problem = gpu_problem(samples, *index);
    findings.xids = xids_in(samples, *index);
    fill_xids(record, findings.xids);
    record.gpu_processes = describe(processes_);
    record.power_w_idle = telemetry_.idle_power_w(*index);
    // While other devices load their models, the host's memory fills without any spilling.
    findings.spilled_bytes = spilled_bytes(is_part_ ? of_phase(samples, timed) : samples, *index,
                                           gpu_->memory_total_bytes.value_or(0));
    warn(setup_warnings(telemetry_.machine(), &*gpu_, &processes_));
  }
  warn(cell_warnings(findings));
  for (const std::string& flag : flags_) {
    add_flag(record, flag);
  }
  for (const std::string& note : telemetry_.take_notes()) {
    observer_.on_event(NoteEvent{note});
  }
}

void CellTelemetry::need_cores(const CellResult& so_far) {
  if (needed_.on_cpu) { // a team, whose devices share all cores
    needed_.cores = is_part_ || !so_far.threads ? std::numeric_limits<double>::infinity()
                                                : static_cast<double>(*so_far.threads);
  }
  is_loaded_ = true;
}

std::string CellTelemetry::other_programs() const {
  return heaviest_programs(processes_before_, telemetry_.process_times(),
                           steady_seconds() - start_s_, ::getpid());
}

} // namespace sdbench
