#pragma once

#include <algorithm>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sdbench/base/config/engine_axes.h"
#include "sdbench/base/config/model_config.h"
#include "sdbench/base/config/run_config.h"
#include "sdbench/base/config/work_fields.h"
#include "sdbench/base/dataset/locate_data.h"
#include "sdbench/base/device/cpu_cores.h"
#include "sdbench/base/numbers/units.h"
#include "sdbench/base/plan/resolve_model.h"
#include "sdbench/base/types/precision.h"
#include "sdbench/base/types/task.h"
#include "sdbench/base/weights/locate.h"

namespace sdbench {

inline constexpr std::int64_t kMaxBatch = 4096;
/// Warm-ups if the user gives no number and time must not decide it. That is so if devices share
/// each batch, because all must do the same number, and if each iteration changes the weights,
/// because the losses depend on the number.
inline constexpr std::int64_t kFixedWarmups = 2;
/// A network's number format with --dtype auto. Its range keeps gradients finite.
inline constexpr Dtype kNetworkDtype = Dtype::kF32;

/// One point of a sweep with all defaults filled in: the worker's task. Only dtype and device may
/// still be "auto": the worker decides them, because it sees the device.
struct Cell : CellWork, EngineAxes {
  ModelConfig model;
  WeightsLocation weights;
  DataLocation data;              ///< for epochs
  bool data_on_device = false;    ///< for epochs: all images are on the device from the start
  std::optional<Precision> dtype; ///< empty: auto
  std::string device = "auto";    ///< as requested: auto, cpu, cpu:K, cuda, cuda:N, intel:N
  /// The device's name in a worker that sees only that device; empty: `device`.
  std::string device_in_worker;
  std::optional<CpuShare> cpu_share; ///< for cpu:K; empty: all cores
  /// All devices of the parallel execution to which this cell belongs; empty: it runs alone. A cell
  /// whose `device` is all of them, joined, is the whole execution: see device_cells.
  std::vector<std::string> parallel_devices;
  std::string share; ///< for parallel_devices: prompts, batch, each
  /// If devices share each batch: images of a batch on all devices, while `batch` and `images` are
  /// the device's own. 0: batches are not shared.
  std::int64_t shared_batch = 0;
  std::filesystem::path meeting; ///< for shared batches: where the devices meet, device_meeting.h
  /// If devices share each batch: seconds that a device waits for another. Less than the front's
  /// timeout for a silent worker, so that the row names the device that did not come.
  double patience_s = 300;
  std::vector<std::string> prompts; ///< one, or `images` of them
  std::optional<std::string> negative_prompt;
  std::uint64_t seed = 0;
  std::int64_t threads = 0;           ///< 0: all
  std::optional<std::int64_t> warmup; ///< empty: auto
  /// Timed runs; with max_noise, the fewest. 0 (which no option gives): only the first image.
  std::int64_t repeat = 3;
  std::optional<double> max_noise;  ///< of the mean end-to-end time, as a fraction of it
  std::optional<double> max_time_s; ///< of the whole cell
  std::optional<double>
      expected_s; ///< expected time of the cell, from earlier rows; empty: unknown
  std::filesystem::path init_latents;
  std::filesystem::path dump_latents;
  std::filesystem::path save_images;
  std::filesystem::path dump_run; ///< pixels, and latents after each step: see RunDump
  bool dump_step_images = false;  ///< with dump_run: also the image after each step
  /// Folder where an external engine keeps what it prepared for the cell; empty: it keeps nothing.
  std::filesystem::path keep_folder;
};

/// True if classifier-free guidance runs, so that the UNet computes two halves. This is diffusers'
/// rule.
[[nodiscard]] bool is_guided(const DenoiserConfig& denoiser, double guidance);
[[nodiscard]] bool is_guided(const Cell& cell);
/// Images that one call of the UNet computes.
[[nodiscard]] std::int64_t unet_batch(const Cell& cell);
/// UNet calls of a batch according to the plan; a schedule may have one more or one fewer. 1 for a
/// network, where a batch is a step.
[[nodiscard]] std::int64_t planned_calls(const Cell& cell);

/// Batches of a run; for a network, its iterations.
[[nodiscard]] inline std::int64_t batches_of(const Cell& cell) {
  return batch_count(cell.images, cell.batch);
}
/// True if a cold first run precedes the timed ones. A single epoch is itself timed.
[[nodiscard]] inline bool has_first_run(const Cell& cell) {
  return cell.epochs != 1;
}
/// The first run and the timed ones; the fewest, if the cell itself decides how many.
[[nodiscard]] inline std::int64_t whole_runs(const Cell& cell) {
  return cell.repeat + (has_first_run(cell) ? 1 : 0);
}
/// Images of a batch on all devices that share it.
[[nodiscard]] inline std::int64_t whole_batch(const Cell& cell) {
  return cell.shared_batch > 0 ? cell.shared_batch : cell.batch;
}
/// Images of the largest batch that the device computes; a data set may have fewer than a batch.
[[nodiscard]] inline std::int64_t largest_batch(const Cell& cell) {
  return cell.epochs > 0 ? std::min(cell.batch, cell.images) : cell.batch;
}
/// Sets another batch size. Keeps the number of batches of a run.
void set_batch(Cell& cell, std::int64_t batch);

/// The sampler and its noise levels: "euler" or "euler_karras".
[[nodiscard]] std::string sampler_of(const Cell& cell);

/// Fills in defaults and checks everything that can be checked without a device: sizes, steps,
/// counts, names (UsageError), model and weights on disk (Error). `--weights FOLDER` without
/// --model uses the folder's own configs. `model_given`: true if the user named a model.
[[nodiscard]] Cell resolve_cell(const RunConfig& config, bool model_given);

/// A cell of a sweep. Its values may contradict each other even if each is valid.
struct PlannedCell {
  Cell cell;
  std::string obstacle; ///< "--images must be a multiple of --batch (3), but is 4"; or empty
  /// The Error behind the obstacle if model or weights cannot be read. The cell's model then has
  /// only its name, and sizes that depend on it are 0.
  std::exception_ptr unreadable = nullptr;
};
/// resolve_cell for one of many cells: contradicting values and unreadable files become the
/// obstacle instead of an error.
[[nodiscard]] PlannedCell plan_cell(const RunConfig& config, bool model_given,
                                    ModelResolver& models);
/// Throws the obstacle in the form of resolve_cell.
[[noreturn]] void refuse(const PlannedCell& planned);

} // namespace sdbench
