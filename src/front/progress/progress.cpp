#include "sdbench/front/progress/progress.h"

#include <cstdint>
#include <cstdlib>
#include <ostream>
#include <utility>
#include <variant>

#include "sdbench/base/config/model_config.h"
#include "sdbench/base/config/run_config.h"
#include "sdbench/base/config/sampler_table.h"
#include "sdbench/base/config/work_field_table.h"
#include "sdbench/base/device/device_info.h"
#include "sdbench/base/numbers/number_text.h"
#include "sdbench/base/numbers/units.h"
#include "sdbench/base/plan/cell.h"
#include "sdbench/base/text/escape.h"
#include "sdbench/base/types/own_engines.h"
#include "sdbench/base/types/precision.h"
#include "sdbench/base/types/task_table.h"
#include "sdbench/base/weights/hub_cache.h"
#include "sdbench/base/weights/locate.h"
#include "sdbench/front/terminal/streams.h"

namespace sdbench {
namespace {

std::string device_text(const DeviceInfo& device) {
  std::string text = one_line(device.name) + " (" + device.arch;
  text += device.compute_capability.empty()
              ? ")"
              : ", compute capability " + device.compute_capability + ")";
  if (device.memory_total_bytes > 0) {
    text += ", " + bytes_text(device.memory_total_bytes);
  }
  if (device.memory_free_bytes > 0) {
    text += " (" + bytes_text(device.memory_free_bytes) + " free)";
  }
  return text + (device.driver_version.empty() ? "" : ", driver " + device.driver_version);
}

std::string dtype_text(const CellResult& result) {
  if (!result.dtype_vae) {
    return std::string(name_of(result.dtype_unet)); // a network has one dtype
  }
  return "UNet " + std::string(name_of(result.dtype_unet)) + ", VAE " +
         std::string(name_of(result.dtype_vae)) + ", text " +
         std::string(name_of(result.dtype_text));
}

/// " with libtorch 2.11.0"; empty if unknown.
std::string runtime_text(const CellResult& result) {
  return result.runtime_version.empty()
             ? ""
             : " with " + std::string(runtime_name(result.engine)) + " " + result.runtime_version;
}

/// "euler (leading), converted from PNDMScheduler as diffusers does"
std::string conversion_text(const Cell& cell) {
  const SchedulerConfig& scheduler = cell.model.scheduler;
  const std::string text =
      sampler_of(cell) + " (" + std::string(name_of(cell.timestep_spacing)) + "), ";
  const std::string source = one_line(scheduler.source_class);
  return text + (scheduler.obstacle.empty()
                     ? "converted from " + source + " as diffusers does"
                     : "as --scheduler says, in place of " + source + " (" + scheduler.obstacle +
                           "): a step costs the same, but the image differs");
}

/// " (v-prediction)"
std::string in_brackets(const std::string& text) {
  return text.empty() ? "" : " (" + text + ")";
}

/// ", clip skip 1"
std::string named_work(const Cell& cell) {
  std::string words;
  for (const WorkField& field : kWorkFields) {
    const std::string said = field.words.empty() ? "" : recorded_text(cell, field);
    words += said.empty() ? "" : ", " + std::string(field.words) + " " + said;
  }
  return words;
}

/// Warns of a download that was cut off, which users easily take for a whole one.
std::string unfinished_text(const Cell& cell) {
  for (const std::string& repository : cell.model.repositories) {
    if (is_unfinished_in_hub_cache(repository)) {
      return " The download of " + repository + " is UNFINISHED.";
    }
  }
  return "";
}

/// Tells that the folder SDBENCH_WEIGHTS, if set, has no fitting weights.
std::string shelf_text(const std::string& model) {
  const char* const shelf = std::getenv("SDBENCH_WEIGHTS");
  return shelf == nullptr || *shelf == '\0'
             ? ""
             : " Nothing in SDBENCH_WEIGHTS (" + one_line(shelf) + ") fits " + model +
                   "; to see why, name one of its files with --weights FILE.";
}

/// Loud, because a user who sees noise should know why.
std::string fallback_text(const Cell& cell) {
  const std::string name = one_line(cell.model.name);
  if (!makes_images(cell.task)) {
    return "SYNTHETIC WEIGHTS (" + cell.weights.description +
           "): neither --weights nor SDBENCH_WEIGHTS names weights of " + name +
           ". The speed is real, the answers mean nothing. --weights FILE.safetensors uses real "
           "ones." +
           shelf_text(name);
  }
  const std::string noise = " The speed is real, THE IMAGE IS NOISE." + shelf_text(name);
  if (cell.model.repositories.empty()) {
    return "SYNTHETIC WEIGHTS (" + cell.weights.description + "): " + name +
           " has no usual weights; --weights PATH uses real ones." + noise;
  }
  return "NO WEIGHTS FOUND for " + name + ": computing with " + cell.weights.description + "." +
         noise + unfinished_text(cell) +
         " For real ones: " + download_command(cell.model.repositories.front()) +
         ", then run again; or --weights PATH.";
}

} // namespace

Progress::Progress(const Cell& cell, std::shared_ptr<spdlog::logger> logger, std::ostream& err,
                   LiveTerminal terminal, std::optional<Brief> brief)
    : cell_(cell), titles_(cell), logger_(std::move(logger)), line_(err, terminal),
      brief_(std::move(brief)) {
  if (!brief_) {
    say_work();
  }
  const SchedulerConfig& scheduler = cell_.model.scheduler;
  const bool is_own = scheduler.source_class == sampler_named(cell_.sampler).scheduler_class ||
                      !makes_images(cell_.task);
  if ((!is_own || !scheduler.obstacle.empty()) && is_new(conversion_text(cell_))) {
    logger_->info("scheduler  {}", conversion_text(cell_));
  }
  // No warning for training, which always begins with made-up weights.
  if (cell_.weights.fallback && cell_.task != Task::kTrain && is_new(fallback_text(cell_))) {
    logger_->warn(fallback_text(cell_));
  }
  if (const std::string data = made_up_data_text(cell_); !data.empty() && is_new(data)) {
    logger_->warn(data);
  }
}

bool Progress::is_new(const std::string& text) {
  return !brief_ || brief_->said.insert(text).second;
}

void Progress::say_work() {
  const std::string work = work_text(cell_.task, cell_.steps, cell_.images, cell_.batch);
  const std::string model = one_line(cell_.model.name);
  if (makes_images(cell_.task)) {
    logger_->info("model      {}: {}x{}, {}, guidance {}{}", model, cell_.width, cell_.height, work,
                  number_text(cell_.guidance), named_work(cell_));
  } else {
    logger_->info("model      {}: {}, {}x{}, {}{}", model, name_of(cell_.task), cell_.width,
                  cell_.height, work,
                  (cell_.epochs > 0 ? ", " + counted(cell_.epochs, "epoch") : "") +
                      (cell_.loss == kCrossEntropy ? "" : ", loss " + cell_.loss) +
                      (cell_.update ? ", with the optimiser's step" : ""));
  }
  logger_->info("weights    {}{}", one_line(cell_.weights.description),
                in_brackets(training_text(cell_)));
}

void Progress::on_event(const CellEvent& event) {
  std::visit([this](const auto& one) { hear(one); }, event);
}

void Progress::hear(const StageEvent& event) {
  stage_ = event.stage;
  doing_.clear();
  run_ = -1;
  steps_heard_ = 0;
  logger_->debug("stage      {}", name_of(stage_));
  line_.show((brief_ ? brief_->prefix : "") + titles_.of_stage(stage_) + " ...");
}

void Progress::hear(const DeviceEvent& event) {
  line_.clear();
  if (is_new(event.device.name)) { // its free memory changes from cell to cell
    logger_->info("device     {}", device_text(event.device));
  }
}

void Progress::hear(const LoadedEvent& event) {
  const CellResult& so_far = event.so_far;
  line_.clear();
  if (brief_) {
    return; // the line at the cell's end tells these facts
  }
  if (so_far.dtype_unet) {
    logger_->info("dtype      {}", dtype_text(so_far));
  }
  if (!so_far.use.attention.empty()) {
    logger_->info("attention  {}{}", so_far.use.attention,
                  so_far.use.attention == cell_.attention ? ""
                                                          : " (asked: " + cell_.attention + ")");
  }
  if (so_far.load_s > 0) {
    logger_->info("loaded     in {}{}{}", time_text(so_far.load_s),
                  so_far.prepare_s > 0 ? ", prepared in " + time_text(so_far.prepare_s) : "",
                  runtime_text(so_far));
  }
}

void Progress::hear(const StepEvent& event) {
  if (event.run != run_) {
    run_ = event.run;
    steps_heard_ = 0;
    heard_seconds_ = 0;
  }
  ++steps_heard_;
  heard_seconds_ += event.seconds;
  // The very first step is cold, so estimate from the second if there is one.
  if (!brief_ && !expectation_said_ && (event.step > 0 || event.steps == 1)) {
    expectation_said_ = true;
    say_expected_time(event.seconds);
  }
  const std::string prefix = brief_ ? brief_->prefix : "";
  const double step_seconds = heard_seconds_ / static_cast<double>(steps_heard_);
  line_.show_bar(prefix + titles_.of_run(stage_, run_), event.step + 1, event.steps,
                 step_seconds * static_cast<double>(event.step + 1));
}

void Progress::say_expected_time(double step_seconds) {
  // If the cell decides the number of warm-ups itself, most need only one.
  const std::int64_t warmups = cell_.warmup.value_or(1);
  const std::int64_t steps = whole_runs(cell_) * steps_per_run() + warmups * planned_calls(cell_);
  const double seconds = step_seconds * static_cast<double>(steps);
  const bool open_end = !cell_.warmup || cell_.max_noise;
  line_.clear();
  const TaskRow& task = row_of(cell_.task);
  const std::string whole = cell_.epochs > 0
                                ? counted(cell_.epochs, "epoch")
                                : "the " + std::string(task.first_run) + ", " +
                                      counted(warmups, "warm-up " + std::string(task.batch)) +
                                      " and " + counted(cell_.repeat, "timed run");
  logger_->info("expected   about {}{} for the {}s of {}{}", time_text(seconds),
                open_end ? " or more" : "", task.step, whole,
                cell_.max_time_s && seconds > *cell_.max_time_s
                    ? "; --max-time ends it after " + time_text(*cell_.max_time_s)
                    : "");
}

void Progress::hear(const WorkerWordsEvent& event) {
  if (logger_->should_log(spdlog::level::debug)) {
    line_.clear();
    logger_->debug("worker     {}", event.line);
  }
}

/// Logs each text once; a terminal shows it as the live line.
void Progress::hear(const DoingEvent& event) {
  if (doing_ != event.text) {
    doing_ = event.text;
    logger_->debug("doing      {}", event.text);
  }
  line_.show((brief_ ? brief_->prefix : "") + one_line(event.text) + " ...");
}

void Progress::hear(const NoteEvent& event) {
  line_.clear();
  if (is_new(event.text)) {
    logger_->warn("note       {}", event.text);
  }
}

std::int64_t Progress::steps_per_run() const {
  return planned_calls(cell_) * batches_of(cell_);
}

} // namespace sdbench
