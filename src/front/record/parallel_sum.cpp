#include "sdbench/front/record/parallel_sum.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <sstream>
#include <string>
#include <type_traits>
#include <variant>

#include "sdbench/base/device/device_info.h"
#include "sdbench/base/device/device_kind_table.h"
#include "sdbench/base/executor/executor.h"
#include "sdbench/base/executor/measured_figure_table.h"
#include "sdbench/base/executor/run_sample.h"
#include "sdbench/base/plan/cell.h"
#include "sdbench/base/plan/parallel_cells.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/base/types/status.h"
#include "sdbench/base/types/task_table.h"
#include "sdbench/front/record/confidence.h"
#include "sdbench/front/record/flags.h"
#include "sdbench/front/record/run_record.h"
#include "sdbench/front/record/run_times.h"
#include "sdbench/front/telemetry/summary.h"

namespace sdbench {
namespace {

using Rows = std::span<const RunRecord>;

/// The distinct texts in order, joined with `between`.
std::string joined_once(const std::vector<std::string>& texts, const char* between) {
  std::string all;
  std::set<std::string> seen;
  for (const std::string& text : texts) {
    if (!text.empty() && seen.insert(text).second) {
      all += (all.empty() ? "" : between) + text;
    }
  }
  return all;
}

template <typename Item>
std::vector<std::string> texts_of(std::span<const Item> items, std::string Item::*member) {
  return mapped(items, member);
}

/// "2 x NVIDIA L4", "NVIDIA L4 + NVIDIA T4"
std::string counted_names(const std::vector<std::string>& names) {
  std::vector<std::string> counted;
  for (const std::string& name : names) {
    const auto count = std::ranges::count(names, name);
    counted.push_back((count > 1 ? std::to_string(count) + " x " : "") + name);
  }
  return joined_once(counted, " + ");
}

/// The value that all rows have, or nothing.
template <typename Value>
Value common(Rows rows, Value RunRecord::*member) {
  const bool same = std::ranges::all_of(
      rows, [&](const RunRecord& row) { return row.*member == rows.front().*member; });
  return same ? rows.front().*member : Value();
}

/// The sum of a figure that every row has, or nothing.
template <typename Number>
std::optional<Number> sum_of(Rows rows, std::optional<Number> RunRecord::*member) {
  Number sum = 0;
  for (const RunRecord& row : rows) {
    if (!(row.*member)) {
      return std::nullopt;
    }
    sum += *(row.*member);
  }
  return sum;
}

template <typename Value>
std::optional<Value> greatest(Rows rows, std::optional<Value> RunRecord::*member) {
  std::optional<Value> most;
  for (const RunRecord& row : rows) {
    most = std::max(most, row.*member);
  }
  return most;
}

std::vector<DeviceInfo> devices_of(Rows rows) {
  std::vector<DeviceInfo> devices;
  for (const RunRecord& row : rows) {
    DeviceInfo& device = devices.emplace_back();
    device.kind = device_kind_named(row.device_kind);
    device.name = row.device_name;
    device.arch = row.device_arch;
    device.compute_capability = row.compute_capability;
    device.driver_version = row.driver_version;
  }
  return devices;
}

CellOutcome outcome_of(Rows rows) {
  CellOutcome outcome;
  outcome.status = Status::kOk;
  std::string list;
  std::size_t count = 0;
  for (const RunRecord& row : rows) {
    if (row.status == name_of(Status::kOk)) {
      continue;
    }
    const bool interrupted =
        row.status == name_of(Status::kInterrupted) || outcome.status == Status::kInterrupted;
    outcome.status = interrupted ? Status::kInterrupted : Status::kError;
    list += (list.empty() ? "" : "; ") + row.device + " (" + row.status + ": " + row.error + ")";
    ++count;
  }
  outcome.message = std::to_string(count) + " of " + std::to_string(rows.size()) + " devices " +
                    (outcome.status == Status::kInterrupted ? "did not finish: " : "failed: ") +
                    list;
  const DeviceInfo device = joined_device(devices_of(rows));
  if (!device.name.empty()) {
    outcome.device = device;
  }
  return outcome;
}

/// One run of all devices: the sample of the device that ended last, with the time from the first
/// start to the last end. `runs` has one sample per device.
RunSample whole_run(const std::vector<RunSample>& runs) {
  const auto end = [](const RunSample& run) { return run.start_s + run.e2e_s; };
  RunSample sample = *std::ranges::max_element(runs, {}, end);
  const double first_start_s = std::ranges::min_element(runs, {}, &RunSample::start_s)->start_s;
  sample.e2e_s += sample.start_s - first_start_s; // adds 0 if all began together
  sample.start_s = first_start_s;
  return sample;
}

RunSample whole_run(Rows rows, std::size_t run) {
  return whole_run(mapped(rows, [&](const RunRecord& row) { return row.samples[run]; }));
}

/// Includes the first epoch: it is as long as the others, and part of the training time.
void fill_first_epoch(RunRecord& sum, Rows rows) {
  std::vector<RunSample> runs;
  for (const RunRecord& row : rows) {
    if (!sum.epochs || !row.first_image) {
      return;
    }
    runs.push_back(*row.first_image);
  }
  sum.first_image = whole_run(runs);
  sum.first_image_s = sum.first_image->e2e_s;
}

/// The findings of all devices; "none" only if no device has any.
std::string joined_findings(Rows rows, std::string RunRecord::*member, const char* between) {
  std::vector<std::string> texts = texts_of(rows, member);
  const std::string all = joined_once(texts, between);
  std::erase(texts, "none");
  const std::string found = joined_once(texts, between);
  return found.empty() ? all : found;
}

/// A measured figure of all devices; combines their values.
template <typename Value>
Value joint_value(Rows rows, Value RunRecord::*member, Together together) {
  if constexpr (std::is_same_v<Value, std::string>) {
    if (together == Together::kJoined) {
      return joined_once(texts_of(rows, member), "+");
    }
  } else if (together == Together::kGreatest) {
    return greatest(rows, member);
  }
  const bool is_replica = together == Together::kReplica && rows.front().share == kShareBatch;
  return is_replica ? rows.front().*member : common(rows, member);
}

void fill_measured(RunRecord& sum, Rows rows) {
  for (const MeasuredFigure& figure : kMeasured) {
    const Together together = figure.together;
    std::visit(
        [&]<typename Value>(Value Measured::*member) {
          if (together != Together::kNone) {
            sum.*member = joint_value<Value>(rows, member, together);
          }
        },
        figure.member);
  }
}

/// Fills in settings: the common value, or the different values side by side.
void fill_settings(RunRecord& sum, Rows rows) {
  for (const auto member :
       {&RunRecord::weights, &RunRecord::dtype_unet, &RunRecord::dtype_vae, &RunRecord::dtype_text,
        &RunRecord::attention_used, &RunRecord::tf32_used, &RunRecord::runtime_version,
        &RunRecord::cuda_runtime_version, &RunRecord::cudnn_version}) {
    sum.*member = joined_once(texts_of(rows, member), "+");
  }
  sum.throttle_reasons = joined_findings(rows, &RunRecord::throttle_reasons, " ");
  sum.gpu_processes = joined_findings(rows, &RunRecord::gpu_processes, ", ");
  sum.threads = common(rows, &RunRecord::threads);
  sum.warmup = std::ranges::max_element(rows, {}, &RunRecord::warmup)->warmup;
  sum.device_index.reset(); // several devices have no single index
}

/// Takes the sensors' flags of every device; flags of confidence come from the sum's own runs.
void fill_flags(RunRecord& sum, Rows rows) {
  const std::set<std::string> own = {"noisy", "outliers", "drift", "partial", "partner_lost"};
  for (const RunRecord& row : rows) {
    std::istringstream flags(row.flags);
    for (std::string flag; flags >> flag;) {
      if (!own.contains(flag)) {
        add_flag(sum, flag);
      }
    }
  }
}

/// Takes the greatest load of the host, which all devices share. Each saw it over its own timed
/// part.
void fill_others(RunRecord& sum, Rows rows) {
  for (const auto member : {&RunRecord::foreign_cpu_percent_mean,
                            &RunRecord::foreign_cpu_percent_max, &RunRecord::steal_percent,
                            &RunRecord::cpu_throttled_percent, &RunRecord::cpu_pressure_percent}) {
    sum.*member = greatest(rows, member);
  }
  for (const RunRecord& row : rows) {
    sum.busy_programs = sum.busy_programs.empty() ? row.busy_programs : sum.busy_programs;
  }
}

/// Adds up energies: each GPU has its own; all shares of the processor have the host's together.
void fill_energy(RunRecord& sum, Rows rows) {
  const auto gpus = filtered(
      rows, [](const RunRecord& row) { return !is_cpu(device_kind_named(row.device_kind)); });
  sum.host_energy_j = greatest(rows, &RunRecord::host_energy_j);
  sum.energy_j = sum_of(gpus, &RunRecord::parallel_energy_j);
  if (gpus.size() < rows.size()) {
    sum.energy_j = sum.energy_j && sum.host_energy_j
                       ? std::optional(*sum.energy_j + *sum.host_energy_j)
                       : std::nullopt;
  }
  if (sum.energy_j) {
    std::vector<std::string> sources = texts_of(Rows(gpus), &RunRecord::energy_source);
    if (gpus.size() < rows.size()) {
      sources.emplace_back("counter"); // the processor's
    }
    sum.energy_source = joined_once(sources, "+");
  }
  sum.worker_rss_max_bytes = sum_of(rows, &RunRecord::worker_rss_max_bytes);
  sum.telemetry_samples =
      std::ranges::min_element(rows, {}, &RunRecord::telemetry_samples)->telemetry_samples;
}

/// Fills in the energy per image if the energy covers exactly these images.
void fill_energy_per_image(RunRecord& sum, Rows rows) {
  const bool same_runs =
      sum.status == name_of(Status::kOk) && std::ranges::all_of(rows, [&](const RunRecord& row) {
        return row.repeat == sum.repeat && !row.partial_run;
      });
  double seconds = 0;
  for (const RunSample& run : sum.samples) {
    seconds += run.e2e_s;
  }
  if (sum.energy_j && same_runs &&
      is_enough_for_image(sum.energy_source, seconds, sum.telemetry_samples.value_or(0))) {
    sum.j_per_image = *sum.energy_j / static_cast<double>(sum.repeat * sum.images);
  }
}

void fill_runs(RunRecord& sum, Rows rows, std::optional<double> alone_images_per_min) {
  std::size_t runs = rows.front().samples.size();
  for (const RunRecord& row : rows) {
    runs = std::min(runs, row.samples.size());
  }
  for (std::size_t run = 0; run < runs; ++run) {
    sum.samples.push_back(whole_run(rows, run));
  }
  sum.repeat = static_cast<std::int64_t>(runs);
  fill_first_epoch(sum, rows);
  fill_epochs(sum);
  if (runs == 0) {
    if (sum.status == name_of(Status::kOk)) {
      add_flag(sum, "partial");
    }
    return;
  }
  fill_whole_runs(sum);
  fill_confidence(sum, std::nullopt);
  fill_energy_per_image(sum, rows);
  if (sum.images_per_min && alone_images_per_min.value_or(0) > 0) {
    sum.alone_images_per_min = alone_images_per_min;
    sum.scaling_efficiency = *sum.images_per_min / *alone_images_per_min;
  }
}

} // namespace

DeviceInfo joined_device(std::span<const DeviceInfo> devices) {
  DeviceInfo joint;
  const bool all_known =
      std::ranges::none_of(devices, [](const DeviceInfo& device) { return device.name.empty(); });
  if (devices.empty() || !all_known) {
    return joint;
  }
  for (const DeviceInfo& device : devices) {
    if (device.kind && std::ranges::find(joint.kinds, *device.kind) == joint.kinds.end()) {
      joint.kinds.push_back(*device.kind);
    }
  }
  if (joint.kinds.size() == 1) {
    joint.kind = joint.kinds.front();
  }
  joint.name = counted_names(texts_of(devices, &DeviceInfo::name));
  joint.arch = joined_once(texts_of(devices, &DeviceInfo::arch), "+");
  joint.compute_capability = joined_once(texts_of(devices, &DeviceInfo::compute_capability), "+");
  joint.driver_version = joined_once(texts_of(devices, &DeviceInfo::driver_version), "+");
  return joint;
}

DeviceInfo device_of(const Cell& cell, const std::vector<DeviceInfo>& devices) {
  const auto find = [&devices](const std::string& name) {
    const DeviceInfo* const device = find_device(name, devices);
    return device == nullptr ? DeviceInfo{} : *device;
  };
  if (!is_whole(cell)) {
    return find(cell.device);
  }
  return joined_device(mapped(cell.parallel_devices, find));
}

void flag_lost_partners(std::span<RunRecord> devices) {
  const auto runs = [](const RunRecord& row) { return row.samples.size(); };
  const auto is_ok = [](const RunRecord& row) { return row.status == name_of(Status::kOk); };
  const std::size_t together = runs(*std::ranges::min_element(devices, {}, runs));
  const bool all_ok = std::ranges::all_of(devices, is_ok);
  for (RunRecord& row : devices) {
    if (is_ok(row) && (!all_ok || runs(row) > together)) {
      add_flag(row, "partner_lost");
    }
  }
}

RunRecord sum_record(const Cell& whole, std::span<const RunRecord> devices,
                     const RecordContext& context, std::optional<double> alone_images_per_min) {
  const CellOutcome outcome = outcome_of(devices);
  RunRecord sum = build_record(whole, outcome, context);
  const std::string stop_reason = sum.stop_reason;
  fill_settings(sum, devices);
  fill_measured(sum, devices);
  fill_flags(sum, devices);
  fill_others(sum, devices);
  fill_energy(sum, devices);
  if (outcome.status != Status::kOk) {
    sum.stop_reason = stop_reason; // not that of the devices that went on
  }
  if (outcome.status == Status::kOk || outcome.status == Status::kInterrupted) {
    fill_runs(sum, devices, alone_images_per_min);
  }
  return sum;
}

} // namespace sdbench
