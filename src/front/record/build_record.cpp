#include "sdbench/front/record/build_record.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "sdbench/base/config/engine_axis_table.h"
#include "sdbench/base/config/model_config.h"
#include "sdbench/base/config/model_cost.h"
#include "sdbench/base/config/work_field_table.h"
#include "sdbench/base/dataset/locate_data.h"
#include "sdbench/base/device/cpu_cores.h"
#include "sdbench/base/device/device_info.h"
#include "sdbench/base/device/device_kind_table.h"
#include "sdbench/base/device/device_name.h"
#include "sdbench/base/executor/measured_figure_table.h"
#include "sdbench/base/executor/stopping.h"
#include "sdbench/base/files/sha256.h"
#include "sdbench/base/numbers/number_text.h"
#include "sdbench/base/plan/memory_estimate.h"
#include "sdbench/base/plan/parallel_cells.h"
#include "sdbench/base/system/from_environment.h"
#include "sdbench/base/text/escape.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/base/types/cell_stage.h"
#include "sdbench/base/types/dtype.h"
#include "sdbench/base/types/own_engines.h"
#include "sdbench/base/types/precision.h"
#include "sdbench/base/types/status.h"
#include "sdbench/base/types/task_table.h"
#include "sdbench/base/weights/locate.h"
#include "sdbench/front/record/confidence.h"
#include "sdbench/front/record/field_access.h"
#include "sdbench/front/record/field_name.h"
#include "sdbench/front/record/flags.h"
#include "sdbench/front/record/ids.h"
#include "sdbench/front/record/run_times.h"
#include "sdbench/front/record/work_record.h"

namespace sdbench {
namespace {

/// Facts use zero for unknown numbers; a record uses an empty field.
std::optional<std::int64_t> known(std::int64_t value) {
  return value > 0 ? std::optional(value) : std::nullopt;
}

/// Fills the record's environment fields, as far as the front knows them.
void fill_environment(RunRecord& record, const RecordContext& context) {
  record.os = context.machine.os;
  record.kernel = context.machine.kernel;
  record.cpu = context.cpu;
  record.core_count = known(context.core_count);
  record.core_list = context.core_list;
  record.host_memory_bytes = known(context.memory_total_bytes);
  record.governor = context.machine.governor;
  record.memory_high_bytes = context.machine.memory_high_bytes;
  record.transparent_huge_pages = context.machine.transparent_huge_pages;
  record.numa_balancing = context.machine.numa_balancing;
  record.core_kinds = context.machine.core_kinds;
  record.preloaded = context.preloaded;
  record.power_supply = context.machine.power_supply;
  record.container = context.machine.container;
  record.slurm_job = context.machine.slurm.id;
  record.slurm_node = context.machine.slurm.node;
  record.slurm_partition = context.machine.slurm.partition;
  record.slurm_sharing = context.machine.slurm.sharing;
  record.cuda_visible_devices = context.cuda_visible_devices;
  record.allocator_config = context.allocator_config;
}

/// Fills those that the worker reports about its GPU. Does nothing for a CPU.
void fill_device_facts(RunRecord& record, const DeviceInfo& device) {
  if (!is_gpu(device.kind)) {
    return;
  }
  record.device_uuid = device.uuid;
  record.device_pci_address = device.pci_address;
  record.device_index = device.index;
  record.sm_count = known(device.sm_count);
  record.device_memory_bytes = known(device.memory_total_bytes);
  record.device_memory_free_bytes = known(device.memory_free_bytes);
  record.cuda_runtime_version = device.cuda_runtime_version;
  record.cudnn_version = device.cudnn_version;
  record.cuda_driver_version = device.cuda_driver_version;
}

/// "1/2"; empty without a share.
std::string share_text(const std::optional<CpuShare>& share) {
  return share ? std::to_string(share->number) + "/" + std::to_string(share->count) : "";
}

/// "cuda" for cuda:1, "cpu+cuda" for cpu:0+cpu:1+cuda:0; empty if the device is yet to be chosen.
std::string asked_kind(const Cell& cell) {
  return joined_kinds(kinds_asked(cell.device));
}

void fill_parallel(RunRecord& record, const Cell& cell, const RecordContext& context) {
  if (cell.parallel_devices.empty()) {
    return;
  }
  record.parallel_id = context.parallel_id;
  record.parallel_role = is_whole(cell) ? kRoleSum : kRoleDevice;
  record.parallel_devices = static_cast<std::int64_t>(cell.parallel_devices.size());
}

/// Independent of where the data are, once they have been read.
std::string data_name(const DataLocation& data) {
  return data.kind == DataLocation::Kind::kCifar10 ? "cifar10" : data.description;
}

void fill_workload(RunRecord& record, const Cell& cell) {
  for (const WorkField& field : kWorkFields) {
    if (has_field(cell.task, field)) {
      set_field_text(record, field_named(record_field(field)), recorded_text(cell, field));
    }
  }
  record.model = cell.model.name;
  record.weights = cell.weights.description;
  record.seed = cell.seed;
  if (makes_images(cell.task)) {
    record.scheduler_source = cell.model.scheduler.source_class;
    record.prompt_sha256 = prompt_sha256(cell);
  }
  if (record.epochs) {
    record.data = data_name(cell.data);
    record.data_place = cell.data_on_device ? "device" : "host";
  }
  for (const EngineAxis& axis : engine_axes()) {
    set_field_text(record, field_named(FieldName::of(axis.name)),
                   recorded_choice(cell, axis, cell.task));
  }
  record.engine_revision = engine_revision(cell.engine);
  record.device = cell.device;
  record.cpu_share = share_text(cell.cpu_share);
  // Until the device is chosen, the row has the requested kind.
  record.device_kind = asked_kind(cell);
  record.dtype_unet = cell.dtype ? name_of(*cell.dtype) : "";
  if (cell.threads > 0) {
    record.threads = cell.threads;
  }
}

/// The runtime of a foreign engine is unknown until its worker reports it.
void fill_context(RunRecord& record, const Cell& cell, const RecordContext& context) {
  record.run_id = context.run_id;
  record.time_utc = context.time_utc;
  record.host = context.host;
  record.label = context.label;
  record.note = context.note;
  record.tags = context.tags;
  record.sweep_id = context.sweep_id;
  record.round = context.round;
  record.restart = context.restart;
  record.sdbench_version = context.sdbench_version;
  record.git_sha = context.git_sha;
  record.runtime_version = is_own_engine(cell.engine) ? context.runtime_version : "";
}

void fill_device(RunRecord& record, const DeviceInfo& device) {
  record.device_kind = device.kind ? name_of(*device.kind) : joined_kinds(device.kinds);
  record.device_name = device.name;
  record.device_arch = device.arch;
  record.compute_capability = device.compute_capability;
  record.driver_version = device.driver_version;
}

/// The number of warm-ups; nothing if the worker died before it could tell.
std::optional<std::int64_t> known_warmup(const CellResult& result) {
  const bool is_told = !result.warmup_reason.empty() || result.warmup > 0;
  return is_told ? std::optional(result.warmup) : std::nullopt;
}

void fill_use(RunRecord& record, const EngineUse& use) {
  for (const EngineAxis& axis : engine_axes()) {
    const std::string name(axis.name);
    if (axis.used != nullptr) {
      set_field_text(record, field_named(FieldName::of(name + "_used")), use.*axis.used);
    }
    if (axis.obstacle != nullptr) {
      set_field_text(record, field_named(FieldName::of(name + "_obstacle")), use.*axis.obstacle);
    }
  }
}

void fill_result(RunRecord& record, const CellResult& result) {
  fill_device(record, result.device);
  if (!result.runtime_version.empty()) {
    record.runtime_version = result.runtime_version;
  }
  record.engine = result.engine;
  record.engine_revision = result.engine_revision;
  record.weights = result.weights_identity.empty() ? record.weights : result.weights_identity;
  record.dtype_unet = result.dtype_unet ? name_of(*result.dtype_unet) : record.dtype_unet;
  record.dtype_vae = name_of(result.dtype_vae);
  record.dtype_text = name_of(result.dtype_text);
  record.threads = result.threads ? result.threads : record.threads;
  fill_use(record, result.use);
  static_cast<Measured&>(record) = result;
  record.warmup = known_warmup(result);
  for (const std::string& flag : result.flags) {
    add_flag(record, flag);
  }
}

/// True if the weights were read more slowly than from any disk, as from a distant or busy network
/// file system. Assumes 16-bit weights, the smallest of most files.
bool loads_slowly(const Cell& cell, const CellResult& result) {
  constexpr double kSlowestDisk = 50.0 * 1024 * 1024;  // bytes/s
  constexpr double kFewestBytes = 256.0 * 1024 * 1024; // less is no measure of a disk
  if (cell.weights.kind == WeightsLocation::Kind::kSynthetic ||
      result.load_s * kSlowestDisk < kFewestBytes) {
    return false;
  }
  const auto bytes = static_cast<double>(weight_bytes(cell.model, Precision{Dtype::kF16, false}));
  return bytes >= kFewestBytes && bytes < kSlowestDisk * result.load_s;
}

/// Removes the stage from a message, because it is shown in front already.
std::string without_stage(std::string message, const std::string& stage) {
  const std::string during = " during stage " + stage;
  if (const std::size_t at = message.find(during); !stage.empty() && at != std::string::npos) {
    message.erase(at, during.size());
  }
  return message;
}

/// "load: no such file". For an interrupted cell, which the status shows, only the stage.
std::string error_text(const Cell& cell, const CellOutcome& outcome) {
  const std::string stage(name_of(outcome.stage));
  std::string message = without_stage(outcome.message, stage);
  if (message == name_of(Status::kInterrupted) && !stage.empty()) {
    return "during stage " + stage;
  }
  message = with_variable(std::move(message), cell.weights.path, cell.weights.variable);
  message = with_variable(std::move(message), cell.data.path, cell.data.variable);
  return message_line(stage + (stage.empty() ? "" : ": ") + message);
}

/// True if one of the devices (names or kinds, joined by "+") is a GPU that CUDA shows to workers.
bool has_visible_gpu(std::string_view devices) {
  return std::ranges::any_of(kinds_asked(devices), [](DeviceKind kind) {
    return has_seat(kind, DeviceSeat::kVisibleGpu);
  });
}

/// Judged by the request, because a cell's ids are known before its device.
bool may_have_gpu(const Cell& cell) {
  return cell.device == kAutoDevice || has_visible_gpu(cell.device);
}

constexpr double kFlopPerMac = 2;
constexpr double kTera = 1e12;

/// Nominal TFLOP of one scheduler step of the whole batch.
double tflop_per_iteration(const Cell& cell) {
  const std::int64_t factor = cell.model.vae.scale_factor();
  return kFlopPerMac / kTera *
         denoiser_macs(cell.model.denoiser, cell.height / factor, cell.width / factor,
                       token_count(cell.model), unet_batch(cell));
}

/// Computed from images, because an epoch's last batch may be smaller.
void fill_network_rate(RunRecord& record, const Cell& cell) {
  if (record.images_per_s) {
    record.achieved_tflops = passes_of(cell.task) * kFlopPerMac / kTera *
                             network_macs(*cell.model.network) * *record.images_per_s;
  }
}

/// Fields that the ids are made of, besides the work.
void fill_asked(RunRecord& record, const Cell& cell, const RecordContext& context) {
  record.asked_dtype = cell.dtype ? std::string(name_of(*cell.dtype)) : "auto";
  record.asked_threads = cell.threads;
  record.asked_devices = joined(cell.parallel_devices, "+");
  record.asked_libtorch = context.runtime_version;
  record.share = cell.parallel_devices.empty() ? "" : cell.share;
  record.openmp_config = context.openmp_config;
  record.instruction_config = context.instruction_config;
  record.cuda_config = may_have_gpu(cell) ? context.cuda_config : "";
}

void fill_work_ids(RunRecord& record) {
  record.workload_id = workload_id_of(record);
  record.variant_id = variant_id_of(record);
  record.cell_id = cell_id_of(record.workload_id, record.variant_id, record.device);
}

} // namespace

std::string cell_id_of(const Cell& cell, const RecordContext& context) {
  RunRecord record;
  fill_workload(record, cell);
  fill_asked(record, cell, context);
  fill_work_ids(record);
  return record.cell_id;
}

std::string env_id_of(const DeviceInfo& device, const RecordContext& context) {
  RunRecord record;
  record.host = context.host;
  fill_environment(record, context);
  fill_device(record, device);
  return env_id_of(record);
}

std::string prompt_sha256(const Cell& cell) {
  if (cell.prompts.empty()) {
    return ""; // a network has none
  }
  std::string text;
  for (const std::string& prompt : cell.prompts) {
    text += prompt + "\n";
  }
  if (cell.negative_prompt) {
    text += '\0' + *cell.negative_prompt;
  }
  return sha256_hex(text);
}

RunRecord build_record(const Cell& cell, const CellOutcome& outcome, const RecordContext& context) {
  RunRecord record;
  fill_workload(record, cell);
  fill_asked(record, cell, context);
  fill_context(record, cell, context);
  fill_environment(record, context);
  if (cell.cpu_share) {
    std::vector<int> cores = cores_of_share(context.cores, *cell.cpu_share);
    std::ranges::sort(cores);
    record.core_list = core_list(cores);
  }
  fill_parallel(record, cell, context);
  if (is_known(cell.model) && makes_images(cell.task)) {
    record.unet_tflop = tflop_per_iteration(cell);
  }
  record.status = name_of(outcome.status);
  if (outcome.status != Status::kOk) {
    record.error = error_text(cell, outcome);
    record.stage = name_of(outcome.stage);
    record.stderr_tail = outcome.stderr_tail;
  }
  if (outcome.device) { // a cell that ends while loading has no more than this
    fill_device(record, *outcome.device);
    fill_device_facts(record, *outcome.device);
  }
  if (outcome.result) {
    fill_result(record, *outcome.result);
    if (loads_slowly(cell, *outcome.result)) {
      add_flag(record, "slow_load");
    }
    fill_device_facts(record, outcome.result->device);
    fill_times(record, *outcome.result);
    if (cell.model.network) {
      fill_network_rate(record, cell);
    }
    fill_confidence(record, cell.max_noise);
  }
  if (has_visible_gpu(record.device_kind)) {
    record.cuda_device_order =
        context.cuda_device_order.empty() ? "FASTEST_FIRST" : context.cuda_device_order;
  }
  if (outcome.status == Status::kInterrupted) { // a killed worker cannot report it
    record.stop_reason = name_of(StopReason::kInterrupted);
  }
  fill_work_ids(record);
  record.env_id = env_id_of(record);
  return record;
}

} // namespace sdbench
