#include "sdbench/front/other_engines/engine_executor.h"

#include <system_error>
#include <utility>

#include "checking_cells.h"
#include "exported_weights.h"
#include "kept_folder.h"
#include "sdbench/base/config/engine_axis_table.h"
#include "sdbench/base/config/install_paths.h"
#include "sdbench/base/device/cuda_driver.h"
#include "sdbench/base/device/device_kind_table.h"
#include "sdbench/base/device/device_name.h"
#include "sdbench/base/device/host.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/errors/message_of.h"
#include "sdbench/base/executor/messages.h"
#include "sdbench/base/files/cache_folder.h"
#include "sdbench/base/numbers/number_text.h"
#include "sdbench/base/plan/cell.h"
#include "sdbench/base/plan/memory_estimate.h"
#include "sdbench/base/types/cell_stage.h"
#include "sdbench/base/types/component_table.h"
#include "sdbench/base/types/dtype.h"
#include "sdbench/base/types/own_engines.h"
#include "sdbench/base/types/status.h"
#include "sdbench/base/types/task_table.h"
#include "sdbench/base/weights/component_files.h"
#include "sdbench/base/weights/golden_bounds.h"
#include "sdbench/base/weights/golden_file.h"
#include "sdbench/base/weights/locate.h"
#include "sdbench/front/other_engines/agreement.h"

namespace sdbench {
namespace {

CellOutcome failed(Status status, const std::string& message) {
  CellOutcome outcome;
  outcome.status = status;
  outcome.stage = CellStage::kStart;
  outcome.message = message;
  return outcome;
}

/// The time of the file's last change; nothing if it is missing.
std::optional<std::filesystem::file_time_type> when_written(const std::filesystem::path& file) {
  std::error_code missing;
  const auto time = std::filesystem::last_write_time(file, missing);
  return missing ? std::nullopt : std::optional(time);
}

/// True if the network loaded for one cell can also compute the other cell's batches.
bool computes_as_prepared(const Cell& one, const Cell& other) {
  return one.task == other.task && one.batch == other.batch;
}

/// Notes files of other types for each row. Engines that are not ours read their files without this
/// note, and engine plain's notes for the same image are not passed on.
void tell_of_other_files(const Cell& cell, ExecutorObserver& observer) {
  if (cell.weights.kind != WeightsLocation::Kind::kFolder) {
    return;
  }
  for (const ComponentRow& row : pipeline_components()) {
    if (!has_component_files(cell.weights.path, row.component)) {
      continue; // the worker reports that it is missing
    }
    const ComponentFiles files = open_component_files(cell.weights.path, row.component);
    const std::string note = note_of_other_files(cell.weights.path, row.component, files.tensors);
    if (!note.empty()) {
      observer.on_event(NoteEvent{note});
    }
  }
}

/// Restores the synthetic weights' name; the worker only sees a folder.
void call_weights_by_their_name(CellOutcome& outcome, const Cell& asked) {
  if (outcome.result && asked.weights.kind == WeightsLocation::Kind::kSynthetic) {
    outcome.result->weights_identity = asked.weights.description;
  }
}

} // namespace

EngineExecutor::EngineExecutor(WorkerOptions options)
    : options_(std::move(options)), own_(options_) {}

CellOutcome EngineExecutor::run(const Cell& cell, ExecutorObserver& observer) {
  if (const EngineRow* const row = find_engine_row(cell.engine)) {
    try {
      return run_by(*row, cell, observer);
    } catch (const Error& error) {
      return failed(options_.status_of_failure(), error.what());
    } catch (const std::filesystem::filesystem_error& error) { // trouble with the cache's disk
      return failed(options_.status_of_failure(), message_of(error));
    }
  }
  make_room(cell, &own_);
  return own_.run(cell, observer);
}

CellOutcome EngineExecutor::run_by(const EngineRow& row, const Cell& cell,
                                   ExecutorObserver& observer) {
  const EngineEnvironment environment = environment_of(row, options_.program.libtorch_version);
  if (!is_complete(environment)) {
    return failed(Status::kSkipped, "the engine " + std::string(row.name) +
                                        " must be set up, but is not; run " +
                                        setup_command_of(row));
  }
  mark_used(environment.folder);
  if (!files_) {
    files_.emplace();
  }
  tell_of_other_files(cell, observer);
  Cell prepared = cell;
  prepared.keep_folder = kept_folder(kCachedEngines);
  if (cell.weights.kind == WeightsLocation::Kind::kSynthetic) {
    ExportedWeights weights = exported_weights(cell, own_, options_, observer);
    if (weights.failure) {
      return *std::move(weights.failure);
    }
    const bool is_network = cell.model.network.has_value();
    prepared.weights.kind =
        is_network ? WeightsLocation::Kind::kSingleFile : WeightsLocation::Kind::kFolder;
    prepared.weights.path = is_network ? weights.folder / "model.safetensors" : weights.folder;
  }
  if (cell.epochs > 0) {
    prepared.data.path = exported_data(cell.data, observer);
  }
  const bool has_latents = makes_images(cell.task);
  if (has_latents && prepared.dump_latents.empty()) {
    prepared.dump_latents = files_->path() / "theirs.safetensors";
  }
  WorkerExecutor& worker = worker_of_engine(row, environment);
  make_room(cell, &worker);
  const auto written_before = when_written(prepared.dump_latents);
  CellOutcome outcome = worker.run(prepared, observer);
  call_weights_by_their_name(outcome, cell);
  // A cell that --max-time ended within its first image leaves no latents, but an earlier one may
  // have.
  const bool has_result = !has_latents || when_written(prepared.dump_latents) != written_before;
  if (outcome.status == Status::kOk && cell.parallel_devices.empty() && has_result) {
    if (has_latents) {
      check_agreement(cell, prepared.dump_latents, outcome, observer);
    }
    if (cell.weights.kind == WeightsLocation::Kind::kSynthetic && cell.weights.seed == 0) {
      check_golden(row, prepared, worker, outcome, observer);
    }
  }
  return outcome;
}

const std::filesystem::path& EngineExecutor::exported_data(const DataLocation& data,
                                                           ExecutorObserver& observer) {
  std::filesystem::path& file = data_[data.description];
  if (file.empty()) {
    observer.on_event(StageEvent{CellStage::kPrepare});
    observer.on_event(
        DoingEvent{"writing the images of " + data.description + " for other engines"});
    const auto written = files_->path() / ("data-" + std::to_string(data_.size()) + ".safetensors");
    export_data(data, written);
    file = written;
  }
  return file;
}

void EngineExecutor::check_golden(const EngineRow& row, const Cell& prepared,
                                  WorkerExecutor& worker, CellOutcome& outcome,
                                  ExecutorObserver& observer) {
  const bool is_network = prepared.model.network.has_value();
  if (outcome.status != Status::kOk || (!row.any_size && !is_network)) {
    return;
  }
  const std::optional<GoldenFile> golden =
      find_golden_file(prepared.model, share_folder() / "golden");
  if (!golden) {
    return;
  }
  const Precision precision = outcome.result->dtype_unet.value_or(Precision{});
  const std::filesystem::path written = files_->path() / "golden.safetensors";
  const Cell run = is_network ? golden_network_cell(prepared, precision, *golden, written)
                              : golden_cell(prepared, precision, *golden,
                                            files_->path() / "golden-noise.safetensors", written);
  if (!row.any_size && !computes_as_prepared(run, prepared)) {
    return; // preparing a second model would take longer than the measurement
  }
  observer.on_event(StageEvent{CellStage::kGolden});
  observer.on_event(DoingEvent{"the golden run"});
  const auto [known, is_new] =
      golden_differences_.try_emplace(messages::encode(messages::RunRequest{run}));
  if (is_new) {
    ExecutorObserver nobody;
    const CellOutcome golden_outcome = worker.run(run, nobody);
    if (golden_outcome.status != Status::kOk) {
      golden_differences_.erase(known);
      leave_uncompared("the golden run is not compared, because it failed: " +
                           golden_outcome.message,
                       outcome, observer);
      return;
    }
    known->second = is_network ? golden_logits_difference(written, *golden)
                               : golden_difference(written, *golden);
  }
  const bool on_cpu = is_cpu(outcome.result->device.kind);
  const bool has_tf32 = prepared.tf32 != "off";
  const double bound = is_network ? golden_logits_bound(precision.dtype, has_tf32, on_cpu)
                                  : golden_bounds(precision.dtype, precision.dtype,
                                                  {.has_tf32 = has_tf32, .on_cpu = on_cpu})
                                        .latents;
  outcome.result->golden_rel_err = known->second;
  outcome.result->golden_check = known->second <= bound ? "pass" : "fail";
  if (known->second > bound) {
    outcome.status = Status::kInvalidOutput;
    outcome.stage = CellStage::kGolden;
    outcome.message = "the golden run must give " + std::string(row_of(prepared.task).oracle) +
                      "'s numbers, but its " + (is_network ? "answers" : "latents") +
                      " differ by " + significant_text(known->second, 2) +
                      " of their largest value (at most " + significant_text(bound, 2) +
                      " is right)";
  }
}

void EngineExecutor::check_agreement(const Cell& cell, const std::filesystem::path& latents,
                                     CellOutcome& outcome, ExecutorObserver& observer) {
  const Precision precision = outcome.result->dtype_unet.value_or(Precision{});
  observer.on_event(StageEvent{CellStage::kGolden});
  observer.on_event(DoingEvent{"computing the same image by engine plain, to compare"});
  // Our engines do not support Intel GPUs. The CPU computes the reference in fp32, because it
  // computes fp16 hundreds of times slower.
  Cell same = cell;
  const std::optional<DeviceKind> kind = outcome.result->device.kind;
  const bool is_ours = !kind || is_of_torch(kind);
  if (!is_ours) {
    same.device = name_of(cpu_kind());
  }
  const PlainLatents& plain =
      plain_latents(same, is_ours ? precision : Precision{Dtype::kF32, false});
  if (!plain.failure.empty()) {
    leave_uncompared("engine plain cannot compute the same image, so this image is not compared: " +
                         plain.failure,
                     outcome, observer);
    return;
  }
  const double difference = latents_difference(latents, plain.file);
  const double bound = agreement_bound(precision.dtype, cell.tf32 != "off");
  outcome.result->agreement_rel_err = difference;
  if (!(difference <= bound)) {
    outcome.status = Status::kInvalidOutput;
    outcome.stage = CellStage::kGolden;
    outcome.message = "the final latents must be within " + significant_text(bound, 2) +
                      " of engine plain's, but are off by " + significant_text(difference, 2) +
                      ": it computes another image";
  }
}

/// A cell whose comparison a stop prevented must be measured again, because its image may be wrong.
void EngineExecutor::leave_uncompared(const std::string& why, CellOutcome& outcome,
                                      ExecutorObserver& observer) const {
  if (!options_.is_stopped()) {
    observer.on_event(NoteEvent{why});
    return;
  }
  outcome.status = Status::kInterrupted;
  outcome.stage = CellStage::kGolden;
  outcome.message = "interrupted before its numbers were compared";
}

const EngineExecutor::PlainLatents& EngineExecutor::plain_latents(const Cell& cell,
                                                                  Precision precision) {
  Cell plain = checking_cell(cell, 0);
  static_cast<EngineAxes&>(plain) = EngineAxes{};
  plain.engine = kPlainEngine;
  plain.dtype = precision;
  plain.tf32 = cell.tf32;
  plain.dump_latents.clear();
  const auto [known, is_new] =
      plain_latents_.try_emplace(messages::encode(messages::RunRequest{plain}));
  if (is_new) {
    plain.dump_latents =
        files_->path() / ("plain-" + std::to_string(plain_latents_.size()) + ".safetensors");
    make_room(plain, &own_);
    ExecutorObserver nobody;
    const CellOutcome outcome = own_.run(plain, nobody);
    if (outcome.status == Status::kOk) {
      known->second.file = plain.dump_latents;
    } else {
      known->second.failure = outcome.message.empty() ? "it gave no reason" : outcome.message;
    }
  }
  return known->second;
}

WorkerExecutor& EngineExecutor::worker_of_engine(const EngineRow& row,
                                                 const EngineEnvironment& environment) {
  auto found = others_.find(row.name);
  if (found == others_.end()) {
    WorkerOptions options = options_;
    options.program = worker_of(row, environment);
    found = others_.emplace(row.name, std::make_unique<WorkerExecutor>(std::move(options))).first;
  }
  return *found->second;
}

/// If the cell may use a GPU, idle workers always end, because their weights would count in this
/// cell's memory peaks.
void EngineExecutor::make_room(const Cell& cell, const WorkerExecutor* wanted) {
  const bool may_be_on_gpu = !is_cpu(kind_asked(cell.device)) && has_cuda_driver();
  if (!may_be_on_gpu &&
      host_memory_available_bytes() >= next_cell_bytes(cell, wanted->has_worker())) {
    return;
  }
  if (wanted != &own_) {
    own_.restart();
  }
  for (const auto& [name, worker] : others_) {
    if (worker.get() != wanted) {
      worker->restart();
    }
  }
}

void EngineExecutor::restart() {
  own_.restart();
  for (const auto& [name, worker] : others_) {
    worker->restart();
  }
}

} // namespace sdbench
