#include "sdbench/base/plan/cell.h"

#include <cmath>
#include <limits>
#include <system_error>
#include <utility>

#include "network_cell.h"
#include "sdbench/base/config/model_family_table.h"
#include "sdbench/base/config/option_layers.h"
#include "sdbench/base/config/sampler_table.h"
#include "sdbench/base/device/device_name.h"
#include "sdbench/base/device/host.h"
#include "sdbench/base/errors/checked_value.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/plan/device_lists.h"
#include "sdbench/base/plan/engine_obstacle.h"
#include "sdbench/base/plan/parallel_cells.h"
#include "sdbench/base/text/in_quotes.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/base/text/utf8.h"
#include "sdbench/base/weights/noise_file.h"
#include "sdbench/base/weights/safetensors.h"

namespace sdbench {
namespace {

constexpr std::int64_t kMaxSize = 16384; ///< pixels a side
constexpr std::int64_t kMaxSteps = 1000; ///< the length of the training schedule
constexpr std::int64_t kMaxImages = 100000;
constexpr std::int64_t kMaxThreads = 4096;
constexpr std::int64_t kMaxRuns = 100000;

std::int64_t checked_size(const char* option, std::int64_t value, std::int64_t factor) {
  in_range(option, value, factor, kMaxSize);
  if (const std::int64_t rest = value % factor; rest != 0) {
    throw UsageError(std::string(option) + " must be a multiple of " + std::to_string(factor) +
                     ", but is " + std::to_string(value) + "; take " +
                     std::to_string(value - rest) + " or " + std::to_string(value - rest + factor));
  }
  return value;
}

std::optional<Precision> checked_dtype(const std::string& name) {
  return precision_from_name(
      one_of("--dtype", name, {"auto", "fp16", "bf16", "fp32", "autocast-fp16", "autocast-bf16"}));
}

std::string checked_device(const std::string& device) {
  const std::optional<DeviceName> name = parse_device_name(device);
  if (name && !name->is_all) {
    return typed_name(*name);
  }
  const std::string forms = listed(device_forms());
  if (const std::string small = in_small_letters(device);
      small != device && parse_device_name(small)) {
    throw UsageError("--device must be " + forms + ", but is " + in_quotes(device) +
                     "; did you mean " + small + "?");
  }
  if (const std::string kind = device.substr(0, device.find(':'));
      kind != device && parse_device_name(kind + ":0")) {
    throw UsageError("--device must be " + forms +
                     " with K the number of a share of the cores and N that of a GPU, but is " +
                     in_quotes(device));
  }
  if (device.starts_with("gpu:")) {
    throw UsageError("--device must be " + forms + ", but is " + in_quotes(device) +
                     "; did you mean cuda" + device.substr(3) + "?");
  }
  return one_of("--device", device, device_forms());
}

void check_engine(const std::string& engine, std::vector<std::string> known) {
  if (engine == kAllEngines) { // it has been replaced in cells
    throw UsageError("--engine must be one engine here, but is all; name it");
  }
  known.emplace_back(kAllEngines);
  one_of("--engine", engine, known);
}

EngineAxes checked_axes(const EngineAxes& axes) {
  for (const EngineAxis& axis : engine_axes()) {
    if (axis.asked == &EngineAxes::engine) {
      check_engine(axes.engine, axis.choices);
      continue;
    }
    one_of("--" + option_name(axis), axes.*axis.asked, axis.choices);
  }
  return axes;
}

void check_input_file(const char* option, const std::filesystem::path& file) {
  std::error_code ignored;
  if (!file.empty() && !std::filesystem::is_regular_file(file, ignored)) {
    throw Error(std::string(option) + " must be a file, but " + in_quotes(file.string()) +
                (std::filesystem::exists(file, ignored) ? " is not one" : " is not there"));
  }
}

/// Limit far beyond the 75 tokens of an encoder: a longer text is a wrong file, not a prompt.
void check_prompt(const char* option, const std::string& prompt) {
  constexpr std::size_t kMaxBytes = 1'000'000;
  if (prompt.size() > kMaxBytes) {
    throw UsageError(std::string(option) + " must be at most " + std::to_string(kMaxBytes) +
                     " bytes per prompt, but one has " + std::to_string(prompt.size()));
  }
}

/// Why these counts cannot be combined; empty if they can.
std::string counts_obstacle(const Cell& cell) {
  const auto prompt_count = static_cast<std::int64_t>(cell.prompts.size());
  if (cell.images % cell.batch != 0) {
    return "--images must be a multiple of --batch (" + std::to_string(cell.batch) + "), but is " +
           std::to_string(cell.images);
  }
  if (prompt_count != 1 && prompt_count != cell.images) {
    return "--prompt must be given once or as often as there are images (" +
           std::to_string(cell.images) + "), but is given " + std::to_string(prompt_count) +
           " times";
  }
  return {};
}

bool names_sampler(const RunConfig& config) {
  return config.scheduler != "auto";
}

/// Why the cell's sampler cannot make the model's images, either never or not unless the user names
/// it; empty if it can.
std::string scheduler_obstacle(const RunConfig& config, const Cell& cell) {
  const SchedulerConfig& scheduler = cell.model.scheduler;
  if (!scheduler.refusal.empty()) {
    return scheduler.refusal;
  }
  if (names_sampler(config) || scheduler.obstacle.empty()) {
    return "";
  }
  const SamplerRow& sampler = sampler_named(cell.sampler);
  return "the model's scheduler must be one that " + std::string(sampler.scheduler_class) +
         " can replace (PNDM, DDIM, DPMSolver, …), but is " + in_quotes(scheduler.source_class) +
         ": " + scheduler.obstacle + "; --scheduler " + cell.sampler + " takes " +
         std::string(sampler.title) +
         "'s steps instead, which cost the same but make another image";
}

/// Default number of images in a run: one batch, or one for each device that gets whole batches.
std::int64_t default_run(const Cell& cell, const RunConfig& config) {
  const bool shares = config.parallel && config.share != kShareEach;
  return shares ? cell.batch * static_cast<std::int64_t>(config.devices.size()) : cell.batch;
}

void fill_counts(Cell& cell, const RunConfig& config) {
  cell.prompts = config.prompts;
  if (cell.prompts.empty()) {
    cell.prompts = {kDefaultPrompt};
  }
  for (const std::string& prompt : cell.prompts) {
    check_prompt("--prompt", prompt);
  }
  check_prompt("--negative-prompt", config.negative_prompt.value_or(""));
  const auto prompt_count = static_cast<std::int64_t>(cell.prompts.size());
  if (!config.batch && (config.images || prompt_count > 1)) {
    throw UsageError(
        "--batch auto must be given without --images and with at most one prompt, because its runs "
        "are one batch each; leave these out, or give --batch a number");
  }
  cell.batch = in_range("--batch", config.batch.value_or(1), 1, kMaxBatch);
  const std::int64_t default_images = prompt_count > 1 ? prompt_count : default_run(cell, config);
  cell.images = in_range("--images", config.images.value_or(default_images), 1, kMaxImages);
  cell.threads = in_range("--threads", config.threads, 0, kMaxThreads);
  if (config.warmup) {
    cell.warmup = in_range("--warmup", *config.warmup, 0, kMaxRuns);
  }
  cell.repeat = in_range("--repeat", config.repeat, 1, kMaxRuns);
  cell.max_noise = config.max_noise;
  cell.max_time_s = config.max_time_s;
}

/// Number of last layers that can be skipped so that each text encoder keeps one.
std::int64_t most_clip_skip(const ModelConfig& model) {
  const std::int64_t kept = family_of(model.pipeline).uses_penultimate_layer ? 2 : 1;
  auto most = std::numeric_limits<std::int64_t>::max();
  for (const TextEncoderConfig& encoder : model.text_encoders) {
    most = std::min(most, encoder.model.layer_count - kept);
  }
  return std::max<std::int64_t>(most, 0);
}

std::int64_t checked_clip_skip(const ModelConfig& model, std::int64_t value) {
  const std::int64_t most = most_clip_skip(model);
  if (value < 0 || value > most) {
    throw UsageError("--clip-skip must be " +
                     (most > 0 ? "between 0 and " + std::to_string(most) : std::string("0")) +
                     " for " + in_quotes(model.name) +
                     ", whose text encoders must keep a layer each, but is " +
                     std::to_string(value));
  }
  return value;
}

void fill_from_model(Cell& cell, const RunConfig& config) {
  const ModelConfig& model = cell.model;
  const std::int64_t factor = model.vae.scale_factor();
  cell.width = checked_size("--width", config.width.value_or(model.defaults.width), factor);
  cell.height = checked_size("--height", config.height.value_or(model.defaults.height), factor);
  cell.steps = in_range("--steps", config.steps.value_or(model.defaults.steps), 1, kMaxSteps);
  cell.guidance = config.guidance.value_or(model.defaults.guidance);
  cell.clip_skip = checked_clip_skip(model, config.clip_skip);
  cell.sampler = names_sampler(config) ? std::string_view(config.scheduler) : kUsualSampler.name;
  cell.timestep_spacing = config.timestep_spacing.value_or(model.scheduler.timestep_spacing);
  cell.karras = config.karras.value_or(model.scheduler.use_karras_sigmas);
}

void fill_without_model(Cell& cell, const RunConfig& config, const std::string& name) {
  cell.model.name = name;
  cell.weights.description = config.weights;
  cell.width = config.width.value_or(0);
  cell.height = config.height.value_or(0);
  cell.steps = config.steps.value_or(0);
  cell.guidance = config.guidance.value_or(0);
  cell.clip_skip = config.clip_skip;
}

/// Checks the noise file before the minutes that a model takes. Its reader checks that the numbers
/// are finite.
void look_at_noise(PlannedCell& planned) {
  const Cell& cell = planned.cell;
  if (cell.init_latents.empty()) {
    return;
  }
  try {
    const std::int64_t factor = cell.model.vae.scale_factor();
    static_cast<void>(
        noise_in(SafetensorsFile(cell.init_latents), {cell.images, cell.model.vae.latent_channels,
                                                      cell.height / factor, cell.width / factor}));
  } catch (const Error& error) {
    planned.obstacle = error.what();
    planned.unreadable = std::current_exception();
  }
}

/// Returns config.devices under their normal names.
std::vector<std::string> fill_devices(Cell& cell, const RunConfig& config) {
  cell.dtype = checked_dtype(config.dtype);
  cell.device = checked_device(config.device);
  std::vector<std::string> devices = mapped(config.devices, checked_device);
  const auto core_count = static_cast<std::size_t>(usable_core_count());
  for (const std::string& device : devices) {
    static_cast<void>(cpu_share_of(device, devices, core_count));
  }
  cell.cpu_share = cpu_share_of(cell.device, devices, core_count);
  if (config.parallel) {
    check_parallel(config, devices);
  } else if (!config.share.empty()) {
    throw UsageError(
        "--share must be given with --parallel, but is given without it; add --parallel");
  }
  return devices;
}

void fill_ways(Cell& cell, const RunConfig& config) {
  static_cast<EngineAxes&>(cell) = checked_axes(config);
  if (config.guidance && !std::isfinite(*config.guidance)) {
    throw UsageError("--guidance must be a finite number, but is not");
  }
  one_of("--scheduler", config.scheduler, scheduler_choices());
}

/// Keeps the first obstacle and does not look for later ones.
template <typename Find>
void find_obstacle(PlannedCell& planned, const Find& find) {
  if (planned.obstacle.empty()) {
    planned.obstacle = find();
  }
}

/// Throws Error if the model or its weights cannot be read.
void fill_model(PlannedCell& planned, const RunConfig& config, const std::string& name,
                ModelResolver& models) {
  Cell& cell = planned.cell;
  const ResolvedModel& resolved = models.resolve(name, config.weights);
  cell.model = resolved.model;
  cell.weights = resolved.weights;
  const ModelKind kind = kind_of(cell.model);
  cell.task = config.task.empty() ? usual_task(kind) : task_named(config.task).value();
  find_obstacle(planned, [&] { return task_obstacle(cell, config); });
  if (kind == ModelKind::kNetwork) {
    fill_network_cell(cell, config);
    look_at_data(planned, config, models);
  } else {
    fill_from_model(cell, config);
    find_obstacle(planned, [&] { return scheduler_obstacle(config, cell); });
  }
}

/// An unreadable model becomes the cell's obstacle. An error on the command line is thrown.
void fill_model_or_obstacle(PlannedCell& planned, const RunConfig& config, bool model_given,
                            ModelResolver& models) {
  const bool weights_decide =
      !model_given && (config.weights.empty() ? environment_names_checkpoint()
                                              : !config.weights.starts_with("synthetic"));
  try {
    fill_model(planned, config, weights_decide ? "" : config.model, models);
  } catch (const Error& error) {
    if (error.blame() == Blame::kCommand) {
      throw;
    }
    planned.obstacle = error.what();
    planned.unreadable = std::current_exception();
    fill_without_model(planned.cell, config, weights_decide ? config.weights : config.model);
  }
}

void fill_files(PlannedCell& planned, const RunConfig& config) {
  Cell& cell = planned.cell;
  check_input_file("--init-latents", config.init_latents);
  cell.init_latents = config.init_latents;
  if (planned.obstacle.empty()) {
    look_at_noise(planned);
  }
  cell.dump_latents = config.dump_latents;
  cell.save_images = config.save_images;
}

} // namespace

bool is_guided(const DenoiserConfig& denoiser, double guidance) {
  return guidance > 1 && !takes_guidance(denoiser);
}

bool is_guided(const Cell& cell) {
  return is_guided(cell.model.denoiser, cell.guidance);
}

std::int64_t unet_batch(const Cell& cell) {
  return is_guided(cell) ? 2 * cell.batch : cell.batch;
}

void set_batch(Cell& cell, std::int64_t batch) {
  const std::int64_t batches = batches_of(cell);
  cell.batch = batch;
  if (cell.epochs == 0) { // an epoch's images are those of its data
    cell.images = batch * batches;
  }
}

std::int64_t planned_calls(const Cell& cell) {
  return cell.steps * sampler_named(cell.sampler).calls_per_step;
}

std::string sampler_of(const Cell& cell) {
  return sampler_word(cell.sampler, noise_levels(cell.karras));
}

Cell resolve_cell(const RunConfig& config, bool model_given) {
  ModelResolver models;
  PlannedCell planned = plan_cell(config, model_given, models);
  if (!planned.obstacle.empty()) {
    refuse(planned);
  }
  return std::move(planned.cell);
}

void refuse(const PlannedCell& planned) {
  if (planned.unreadable) {
    std::rethrow_exception(planned.unreadable);
  }
  throw UsageError(planned.obstacle);
}

PlannedCell plan_cell(const RunConfig& config, bool model_given, ModelResolver& models) {
  PlannedCell planned;
  Cell& cell = planned.cell;
  // Checks first what needs no file, so that an error on the command line does not wait for a slow
  // disk.
  std::vector<std::string> devices = fill_devices(cell, config);
  fill_ways(cell, config);
  fill_counts(cell, config);
  find_obstacle(planned, [&] { return counts_obstacle(cell); });
  find_obstacle(planned, [&] { return engine_obstacle(cell); });
  in_range("--steps", config.steps.value_or(1), 1, kMaxSteps);
  fill_model_or_obstacle(planned, config, model_given, models);
  fill_files(planned, config);
  cell.negative_prompt = config.negative_prompt;
  cell.seed = config.seed;
  if (config.parallel) {
    cell = whole_of(std::move(cell), std::move(devices),
                    config.share.empty() ? std::string(row_of(cell.task).shares.front())
                                         : config.share);
    find_obstacle(planned, [&] { return sharing_obstacle(cell); });
  }
  return planned;
}

} // namespace sdbench
