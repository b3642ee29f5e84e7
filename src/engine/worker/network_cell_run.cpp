#include "network_cell_run.h"

#include <chrono>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <torch/version.h>

#include "sdbench/base/config/install_paths.h"
#include "sdbench/base/dataset/dataset.h"
#include "sdbench/base/dataset/locate_data.h"
#include "sdbench/base/executor/stopping.h"
#include "sdbench/base/numbers/number_text.h"
#include "sdbench/base/plan/engine_obstacle.h"
#include "sdbench/base/plan/parallel_cells.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/base/text/named.h"
#include "sdbench/base/types/component_table.h"
#include "sdbench/base/types/dtype.h"
#include "sdbench/base/types/own_engines.h"
#include "sdbench/base/types/precision.h"
#include "sdbench/base/types/status.h"
#include "sdbench/base/types/task_table.h"
#include "sdbench/base/weights/golden_bounds.h"
#include "sdbench/engine/nn/autocast_scope.h"
#include "sdbench/engine/nn/layer_source.h"
#include "sdbench/engine/nn/loaded_weights.h"
#include "sdbench/engine/nn/packed_weights.h"
#include "sdbench/engine/nn/scalar_type.h"
#include "sdbench/engine/nn/weight_form.h"
#include "sdbench/engine/pipeline/host_allocator.h"
#include "sdbench/engine/pipeline/pipeline_options.h"
#include "sdbench/engine/training/golden_logits.h"
#include "sdbench/engine/worker/device_choice.h"
#include "sdbench/engine/worker/dtype_choice.h"
#include "sdbench/engine/worker/engine_axis_choice.h"
#include "sdbench/engine/worker/layer_sources.h"
#include "sdbench/engine/worker/memory_check.h"

namespace sdbench {

NetworkCellRun::NetworkCellRun(const Cell& cell, ExecutorObserver& observer,
                               const std::atomic<bool>* stop)
    : CellRun(cell, observer, stop) {}

void NetworkCellRun::run() {
  take_place();
  load();
  meet_others();
  if (has_first_run(cell_)) {
    enter(CellStage::kFirstImage);
    timing_.run_first(*work_, result_);
    check_output();
  }
  enter(CellStage::kWarmup);
  timing_.warm_up(*work_, result_);
  measure_runs(*work_, [this] { check_output(); });
  test();
  check_golden();
  check_in_plain_order();
}

void NetworkCellRun::load() {
  const Precision precision = cell_.dtype.value_or(kNetworkDtype);
  const bool on_gpu = device_.is_cuda();
  tell_expected_time(to_scalar_type(precision.dtype));
  tell(dtype_warnings({precision, precision, precision}, on_gpu, has_bf16_));
  if (const std::string obstacle = cpu_training_obstacle(cell_); !on_gpu && !obstacle.empty()) {
    throw CellFailure(Status::kSkipped, obstacle);
  }
  options_ = options_of(precision);
  if (folds()) { // oneDNN's convolutions then compute ReLU, too
    packing_ = packing_of(cell_, device_, result_.device, precision);
  }
  if (packing_ != Packing::kNone) {
    options_.memory_format = at::MemoryFormat::ChannelsLast;
  }
  require_memory_for_network(cell_, precision, device_,
                             {free_memory_bytes(device_), free_memory_bytes(at::kCPU)});
  const double packed_before_s = packing_seconds();
  network_.emplace(build(cell_.task == Task::kTrain ? Gradients::kYes : Gradients::kNo));
  release_freed_memory(); // memory that loading and packing needed only briefly
  clock_ = make_device_clock(device_);
  wait_for_copies();
  result_.prepare_s = packing_seconds() - packed_before_s;
  timing_.loaded(result_);
  take_data();
  record_engine(precision);
  loaded_ = true;
  observer_.on_event(LoadedEvent{result_});
}

/// Copies to a GPU are asynchronous, so this waits until they have arrived.
void NetworkCellRun::wait_for_copies() {
  clock_->reset();
  clock_->mark();
  clock_->wait();
}

/// Loads the data set, or makes the one batch of all iterations. Not counted in any time.
void NetworkCellRun::take_data() {
  if (cell_.epochs > 0) {
    data_ = load_dataset(cell_.data);
    result_.data_identity = identity_of(*data_);
  }
  work_.emplace(cell_, *network_, options_, *clock_, data_ ? &*data_ : nullptr);
  constexpr double kLong_s = 10; // a longer iteration may look like a hang
  work_->tell_parts(kLong_s, [this](std::string_view part, std::int64_t iteration) {
    observer_.on_event(
        DoingEvent{std::string(part) + " of iteration " + std::to_string(iteration + 1)});
  });
  wait_for_copies();
}

/// Joins the other devices of a shared batch. They have the same parameters and wait for this one.
void NetworkCellRun::meet_others() {
  if (cell_.shared_batch == 0) {
    return;
  }
  enter(CellStage::kWait);
  others_ = std::make_unique<DataParallel>(
      DevicePlace{cell_.parallel_devices, device_number(cell_), cell_.meeting,
                  std::chrono::ceil<std::chrono::milliseconds>(
                      std::chrono::duration<double>(cell_.patience_s))},
      mapped(network_->parameters(), &NamedTensor::tensor));
  work_->train_with(*others_);
}

NetworkOptions NetworkCellRun::options_of(Precision precision) const {
  const c10::ScalarType type = to_scalar_type(precision.dtype);
  NetworkOptions options;
  options.device = device_;
  options.weights = to_scalar_type(precision.weight_dtype());
  if (precision.autocast) {
    options.autocast = type;
  }
  options.memory_format = memory_format_of(cell_, device_, result_.device, precision.dtype, true);
  return options;
}

/// True if norms are folded into convolutions: only in inference with the tuned engine.
bool NetworkCellRun::folds() const {
  return cell_.task == Task::kInfer && cell_.engine == kTunedEngine && !options_.autocast;
}

/// Builds the cell's network from its weights. Throws Error if their keys do not match.
Classifier NetworkCellRun::build(Gradients gradients, Order order) {
  const WeightMemory memory;
  const auto found = std::make_shared<LoadedWeights>();
  const LayerSourceFactory weights = make_layer_sources(cell_.weights, found);
  const bool is_plain = order == Order::kPlain;
  FormedSource source(weights(Component::kNetwork, options_.weights, options_.device),
                      {.memory_format = options_.memory_format,
                       .for_autocast = options_.autocast && gradients == Gradients::kNo,
                       .packing = is_plain ? Packing::kNone : packing_,
                       .fold_norms = folds() && !is_plain});
  Classifier network = make_classifier(cell_.model.network.value(), Weights(source), gradients);
  source.finish();
  result_.weights_identity = identity_of(cell_.weights);
  result_.weights_dtype = dtypes_text(*found);
  result_.weights_ignored = ignored_text(*found);
  if (!is_plain && !network_) { // the checks build it again
    tell({found->notes.begin(), found->notes.end()});
  }
  return network;
}

void NetworkCellRun::record_engine(Precision precision) {
  result_.runtime_version = TORCH_VERSION;
  result_.engine = cell_.engine;
  result_.engine_revision = engine_revision(cell_.engine);
  result_.dtype_unet = precision;
  result_.use.memory_format =
      options_.memory_format == at::MemoryFormat::ChannelsLast ? "channels-last" : "contiguous";
  result_.use.packed_weights = name_in(kPackings, packing_);
  result_.use.host_allocator = host_allocator_used();
  const bool has_any = has_tf32(result_.device) && precision == Dtype::kF32;
  result_.use.tf32 = has_any ? cell_.tf32 : "off";
  tell(options_without_effect(cell_, result_));
}

void NetworkCellRun::check_output() {
  const NetworkOutput& output = work_->output();
  if (output.check.empty()) {
    return; // --max-time may have ended the first run
  }
  result_.output_check = output.check;
  result_.loss_first = result_.loss_first ? result_.loss_first : output.loss_first;
  result_.loss_last = output.loss_last;
  if (output.check != "pass") {
    refuse_output();
  }
}

void NetworkCellRun::refuse_output() {
  const NetworkOutput& output = work_->output();
  const bool is_widest = result_.dtype_unet == Dtype::kF32;
  const std::string remedy = !is_widest     ? "; try --dtype fp32"
                             : cell_.update ? "; look at the weights, or take --update off"
                                            : "; look at the weights";
  const std::size_t timed_epoch = result_.samples.size() + (has_first_run(cell_) ? 1 : 0);
  const std::string run = cell_.epochs > 0 ? "epoch " + std::to_string(timed_epoch) : "a run";
  throw CellFailure(
      Status::kInvalidOutput,
      output.failed ? "the loss must be finite, but is NaN or infinite from iteration " +
                          std::to_string(*output.failed + 1) + " of " + run + " on" + remedy
                    : "the network's answers must be finite, but have NaN or infinity" + remedy);
}

/// Tests after the last epoch. Not part of the timed training.
void NetworkCellRun::test() {
  if (!data_ || result_.stop_reason == name_of(StopReason::kMaxTime)) {
    return;
  }
  enter(CellStage::kTest);
  const NetworkWork::Test test =
      work_->test([this](std::int64_t batch, std::int64_t batches, double seconds) {
        observer_.on_event(StepEvent{0, batch, batches, seconds});
        end_if_stopped();
      });
  result_.accuracy = test.accuracy;
  result_.test_s = test.seconds;
}

void NetworkCellRun::check_golden() {
  if (!has_golden_weights()) {
    return;
  }
  enter(CellStage::kGolden);
  // Checks the original weights: training with --update has changed those of network_.
  const Classifier network = cell_.task == Task::kTrain ? build(Gradients::kNo) : *network_;
  const AutocastScope autocast(options_.device.type(), options_.autocast);
  const std::optional<double> error = golden_logits_error(
      network, cell_.model, options_.weights, options_.device, share_folder() / "golden");
  if (!error) {
    return;
  }
  const double bound = golden_logits_bound(to_dtype(options_.autocast.value_or(options_.weights)),
                                           result_.use.tf32 != "off", options_.device.is_cpu());
  result_.golden_check = *error <= bound ? "pass" : "fail"; // NaN fails
  if (std::isfinite(*error)) {
    result_.golden_rel_err = *error;
  }
  if (result_.golden_check == "fail") {
    throw CellFailure(Status::kInvalidOutput,
                      "the golden answers must be " + std::string(row_of(cell_.task).oracle) +
                          "'s, but differ by " + significant_text(*error, 2) +
                          " of their largest value (at most " + significant_text(bound, 2) +
                          " is right); try another --dtype or libtorch");
  }
}

/// oneDNN's ReLU, as a part of a convolution, makes 0 of NaN, and a folded norm may scale down what
/// would overflow. So the batch is computed once more as engine plain does, not counted in any
/// time. A GPU has no such ReLU; values that its folded norms may hide are not checked.
void NetworkCellRun::check_in_plain_order() {
  if (result_.output_check != "pass" || !folds() || !device_.is_cpu()) {
    return;
  }
  enter(CellStage::kCheck);
  work_.reset();
  network_.reset(); // two networks would need twice the memory
  release_freed_memory();
  network_.emplace(build(Gradients::kNo, Order::kPlain));
  work_.emplace(cell_, *network_, options_, *clock_, nullptr);
  static_cast<void>(work_->run_first_batch([](std::int64_t, double) {}));
  result_.output_check = work_->look_at_results().check;
  if (result_.output_check != "pass") {
    refuse_output();
  }
}

} // namespace sdbench
