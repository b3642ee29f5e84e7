#include "image_cell_run.h"

#include <cstdint>

#include <torch/version.h>

#include "sdbench/base/device/host.h"
#include "sdbench/base/executor/run_sample.h"
#include "sdbench/base/plan/cell.h"
#include "sdbench/base/plan/engine_obstacle.h"
#include "sdbench/base/plan/time_estimate.h"
#include "sdbench/base/system/steady_clock.h"
#include "sdbench/base/types/dtype.h"
#include "sdbench/base/types/precision.h"
#include "sdbench/base/types/status.h"
#include "sdbench/engine/kernels/gpu_compiler.h"
#include "sdbench/engine/nn/loaded_weights.h"
#include "sdbench/engine/nn/packed_weights.h"
#include "sdbench/engine/nn/scalar_type.h"
#include "sdbench/engine/pipeline/golden.h"
#include "sdbench/engine/pipeline/host_allocator.h"
#include "sdbench/engine/pipeline/level_attention.h"
#include "sdbench/engine/pipeline/pipeline_options.h"
#include "sdbench/engine/worker/cuda_facts.h"
#include "sdbench/engine/worker/engine_axis_choice.h"
#include "sdbench/engine/worker/image_files.h"
#include "sdbench/engine/worker/latents_file.h"
#include "sdbench/engine/worker/memory_check.h"

namespace sdbench {
ImageCellRun::ImageCellRun(const Cell& cell, ExecutorObserver& observer, KeptModel& model,
                           const std::atomic<bool>* stop)
    : CellRun(cell, observer, stop), model_(model) {}

void ImageCellRun::run() {
  prepare();
  tell_expected_time(unet_type());
  load(choose_unet_dtype(cell_.dtype, device_.is_cuda(), has_bf16_));
  tell(model_.pipeline().prompt_notes(cell_.prompts, cell_.negative_prompt));
  make_first_image();
  note_graphs_obstacle();
  enter(CellStage::kWarmup);
  timing_.warm_up(*this, result_);
  measure_runs(*this);
  check_output();
  check_golden();
  save();
  decode_step_images();
}

/// Refuses everything that can be refused without loading a model.
void ImageCellRun::prepare() {
  take_place();
  if (!cell_.init_latents.empty()) {
    const std::int64_t factor = cell_.model.vae.scale_factor();
    noise_ = read_latents(cell_.init_latents, {cell_.images, cell_.model.vae.latent_channels,
                                               cell_.height / factor, cell_.width / factor});
  }
}

std::optional<double> ImageCellRun::estimate(ProductRates& rates) {
  prepare();
  const bool is_told = device_.is_cpu() && may_take_long(cell_);
  return is_told ? std::optional(seconds_by_arithmetic(cell_, rates.of(unet_type())))
                 : std::nullopt;
}

c10::ScalarType ImageCellRun::unet_type() const {
  const Precision precision = cell_.model.network
                                  ? cell_.dtype.value_or(kNetworkDtype)
                                  : choose_unet_dtype(cell_.dtype, false, has_bf16_);
  return to_scalar_type(precision.dtype);
}

void ImageCellRun::load(Precision unet_dtype) {
  const DtypeChoice dtypes = choose_stage_dtypes(unet_dtype, cell_.model.pipeline, has_bf16_);
  if (const std::string obstacle = fp16_accumulation_obstacle(cell_, device_.is_cpu(), dtypes.unet);
      !obstacle.empty()) {
    throw CellFailure(Status::kSkipped, obstacle);
  }
  tell(dtype_warnings(dtypes, device_.is_cuda(), has_bf16_));
  const double prepared_before_s = packing_seconds() + compiling_seconds();
  const double compiled_before_s = compiling_seconds();
  auto [options, choices] = choose_pipeline_options(cell_, device_, result_.device, dtypes);
  options_ = options;
  const std::vector<std::string> expected = attention();
  leave_graphs_without_room(choices, expected);
  const bool is_there = model_.fits(cell_, options_);
  if (!is_there) {
    make_room();
  }
  require_memory(is_there, expected);
  if (!is_there) {
    model_.load(cell_, options_);
    release_freed_memory(); // memory that loading and packing needed only briefly
  }
  result_.prepare_s = packing_seconds() + compiling_seconds() - prepared_before_s;
  if (compiling_seconds() > compiled_before_s) {
    tell_whether_kernels_are_kept();
  }
  make_images();
  const std::vector<std::string> given_up = try_attention();
  if (!is_there) {
    timing_.loaded(result_);
  }
  result_.runtime_version = TORCH_VERSION;
  record_engine(cell_, options_, dtypes, choices, result_);
  result_.use.attention = attention_used(attention());
  tell(given_up);
  record_model();
  if (!is_there) {
    tell_of_weights();
  }
  loaded_ = true;
  observer_.on_event(LoadedEvent{result_});
}

std::vector<std::string> ImageCellRun::attention() const {
  return level_attention(cell_.model, options_, cell_.width, cell_.height);
}

void ImageCellRun::leave_graphs_without_room(EngineChoices& choices,
                                             const std::vector<std::string>& expected) {
  if (options_.graphs != Graphs::kNone &&
      !has_room_for_graph(cell_, options_, memory_for_cell(device_, model_.has_loaded()),
                          expected)) {
    options_.graphs = Graphs::kNone;
    choices.graphs = {.obstacle =
                          "the device has too little free memory for a graph beside the VAE"};
  }
}

/// Drops the model of an earlier cell.
void ImageCellRun::make_room() {
  model_.drop();
  release_freed_memory();                   // else the memory check would count it as taken
  empty_cuda_cache();                       // else peak_device_used_bytes would include it
  static_cast<void>(reset_peak_resident()); // our peak must not include the earlier model
  if (device_.is_cuda()) {
    empty_pinned_cache(); // an earlier cell with --offload may have left it
  }
}

void ImageCellRun::require_memory(bool is_there, const std::vector<std::string>& expected) {
  const bool is_on_device = is_there && options_.offload == Offload::kNone;
  const MemoryForCell memory = memory_for_cell(device_, model_.has_loaded());
  require_memory_for_cell(cell_, options_, memory, is_on_device, expected);
  if (const std::string note = tight_memory_note(cell_, options_, memory, expected);
      !note.empty()) {
    tell({note});
  }
}

void ImageCellRun::tell_whether_kernels_are_kept() {
  if (const std::string why = why_kernels_are_not_kept(); !why.empty()) {
    result_.flags.emplace_back("kernels_not_kept");
    tell({"the GPU kernels were compiled, but cannot be kept, so each process compiles them: " +
          why});
  }
}

/// Makes what computes images from the model, once its weights are on the device.
void ImageCellRun::make_images() {
  clock_ = make_device_clock(device_);
  images_.emplace(model_.pipeline(), cell_, *clock_, noise_);
  clock_->mark(); // weights are copied to a GPU asynchronously
  clock_->wait();
}

/// Returns notes on the attention kernels that failed.
std::vector<std::string> ImageCellRun::try_attention() {
  const double began_s = steady_seconds();
  std::vector<std::string> given_up =
      settle_attention(cell_.model, options_, cell_.width, cell_.height, attempt_attention,
                       [this] { return free_memory_bytes(device_); });
  if (device_.is_cuda()) {
    result_.prepare_s += steady_seconds() - began_s; // cuDNN makes its plans for attention
  }
  return given_up;
}

void ImageCellRun::record_model() {
  result_.vae_tiles = model_.pipeline().vae_tile_count(cell_.width, cell_.height);
  tell(options_without_effect(cell_, result_));
  result_.unet_calls = model_.pipeline().unet_calls(denoise_options(cell_));
  result_.weights_identity = model_.weights_identity();
  result_.weights_dtype = dtypes_text(model_.loaded_weights());
  result_.weights_ignored = ignored_text(model_.loaded_weights());
}

void ImageCellRun::tell_of_weights() {
  const auto& notes = model_.loaded_weights().notes;
  tell({notes.begin(), notes.end()});
  if (!result_.weights_ignored.empty()) {
    observer_.on_event(
        NoteEvent{"the weights hold tensors that no part of the model uses, which are ignored: " +
                  ignored_note(model_.loaded_weights())});
  }
}

bool ImageCellRun::must_probe() const {
  return !cell_.dtype && device_.is_cuda() && result_.dtype_unet == Dtype::kF16;
}

/// The first image is cold, and is also the probe for fp16: a separate UNet call before it would
/// warm up what this image is to show.
void ImageCellRun::make_first_image() {
  enter(CellStage::kFirstImage);
  if (must_probe()) {
    images_->probe_next_batch();
  }
  try {
    timing_.run_first(*this, result_);
  } catch (const ImageWork::NotFinite&) {
    const Dtype other = dtype_instead_of_fp16(has_bf16_);
    observer_.on_event(
        NoteEvent{"fp16 gives values that are not finite on this device: running in " +
                  std::string(name_of(other))});
    images_.reset();
    timing_.restart_load();
    enter(CellStage::kLoad);
    load(other);
    enter(CellStage::kFirstImage);
    timing_.run_first(*this, result_);
  }
}

/// If graphs were wanted but could not be made, records the reason and returns true. Call it right
/// after a run: only a run shows whether its calls are recorded, and the golden run has other
/// graphs.
bool ImageCellRun::settle_graphs() {
  const std::string obstacle = model_.pipeline().graphs_obstacle();
  if (result_.use.graphs == name_of(Graphs::kNone) || obstacle.empty()) {
    return false;
  }
  result_.use.graphs = name_of(Graphs::kNone);
  result_.use.graphs_obstacle = obstacle;
  return true;
}

/// The first run shows whether graphs fail, however few its steps.
void ImageCellRun::note_graphs_obstacle() {
  if (settle_graphs()) {
    observer_.on_event(NoteEvent{"the steps run kernel by kernel, because a graph failed: " +
                                 result_.use.graphs_obstacle});
    return;
  }
  if (const std::string reason = model_.pipeline().prompt_graphs_obstacle(); !reason.empty()) {
    result_.use.graphs_obstacle = reason; // the steps have theirs
    observer_.on_event(NoteEvent{"a part of each image runs kernel by kernel: " + reason});
  }
  if (const std::string reason = model_.pipeline().upload_obstacle(); !reason.empty()) {
    observer_.on_event(NoteEvent{"the CUDA graph's first replay takes longer, because the graph "
                                 "could not be uploaded when it was recorded: " +
                                 reason});
  }
}

RunSample ImageCellRun::run_all(const StepListener& listener) {
  RunSample sample;
  try {
    sample = images_->run(listener, output_);
  } catch (...) {
    settle_graphs(); // a first run that is cut short may not have made a graph yet
    throw;
  }
  if (result_.output_check.empty() || result_.output_check == "pass") {
    result_.output_check = output_.check;
  }
  return sample;
}

RunSample ImageCellRun::run_first_batch(const StepListener& listener) {
  return images_->warm_up(listener);
}

/// Checks the timed images. Not a stage of its own.
void ImageCellRun::check_output() {
  const bool has_image = output_.pixels.defined(); // false if --max-time ended the first run
  if (!has_image || result_.output_check == "pass") {
    return;
  }
  if (result_.output_check != "non_finite") {
    throw CellFailure(Status::kInvalidOutput,
                      "the image must show something, but is of one colour");
  }
  const bool widest = result_.dtype_unet == Dtype::kF32 && result_.dtype_vae == Dtype::kF32;
  throw CellFailure(
      Status::kInvalidOutput,
      std::string("the image must be finite, but has NaN or infinity; ") +
          (widest ? "look at the weights, --guidance and --init-latents" : "try --dtype fp32"));
}

void ImageCellRun::check_golden() {
  if (!has_golden_weights()) {
    return;
  }
  enter(CellStage::kGolden);
  const GoldenResult& golden = model_.golden();
  result_.golden_check = golden.check;
  result_.golden_rel_err = golden.rel_err;
  if (golden.check == "fail") {
    throw CellFailure(Status::kInvalidOutput,
                      "the golden run must give diffusers' numbers, but its " + golden.message +
                          "; try another --attention, --dtype or libtorch");
  }
}

void ImageCellRun::save() {
  enter(CellStage::kSave);
  if (!output_.pixels.defined()) {
    observer_.on_event(NoteEvent{"--max-time ended the cell within its first image, so there is no "
                                 "image to check or to save; give it more seconds"});
    return;
  }
  if (!cell_.dump_latents.empty()) {
    write_latents(cell_.dump_latents, output_.latents);
  }
  if (!cell_.dump_run.empty()) {
    write_run_dump(cell_.dump_run, output_.step_latents, output_.pixels);
  }
  if (!cell_.save_images.empty()) {
    result_.image_files = write_images(cell_.save_images, output_.pixels, cell_, result_);
  }
}

/// Runs last: if it fails, everything else has been measured and written.
void ImageCellRun::decode_step_images() {
  if (!cell_.dump_step_images) {
    return;
  }
  enter(CellStage::kStepImages);
  const auto steps = static_cast<std::int64_t>(output_.step_latents.size()) - 1;
  write_step_images(model_.pipeline(), cell_, output_.step_latents, device_,
                    [&](std::int64_t step, double seconds) {
                      observer_.on_event(StepEvent{0, step, steps, seconds});
                      end_if_stopped();
                    });
}

} // namespace sdbench
