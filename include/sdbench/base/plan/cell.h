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
#include "sdbench/base/core/precision.h"
#include "sdbench/base/core/task.h"
#include "sdbench/base/core/units.h"
#include "sdbench/base/dataset/locate_data.h"
#include "sdbench/base/device/cpu_cores.h"
#include "sdbench/base/plan/resolve_model.h"
#include "sdbench/base/weights/locate.h"

namespace sdbench {

inline constexpr std::int64_t kMaxBatch = 4096;
/// Where time must not decide how many, and nobody says it: of devices that share each batch, for
/// all must do the same, and where each iteration changes the weights, and with them all losses.
inline constexpr std::int64_t kFixedWarmups = 2;
/// A network's number format where --dtype is auto: gradients are sure to be finite in it.
inline constexpr Dtype kNetworkDtype = Dtype::kF32;

/// One point of a sweep with every default filled in: what the worker is asked to do.
/// Only dtype and device may still be "auto": the worker decides them, because it sees the device.
struct Cell : CellWork, EngineAxes {
  ModelConfig model;
  WeightsLocation weights;
  DataLocation data;              ///< of epochs
  bool data_on_device = false;    ///< of epochs: all images are there from the start
  std::optional<Precision> dtype; ///< empty: auto
  std::string device = "auto";    ///< as asked for: auto, cpu, cpu:K, cuda, cuda:N, intel:N
  /// The same device for a worker that sees no other; empty: `device`.
  std::string device_in_worker;
  std::optional<CpuShare> cpu_share; ///< of cpu:K; empty: all cores
  /// All devices of the parallel execution that this is a part of; empty: it runs alone. A cell
  /// whose `device` is all of them, joined, is the whole execution: see device_cells.
  std::vector<std::string> parallel_devices;
  std::string share; ///< of parallel_devices: prompts, batch, each
  /// Of a device's part of shared batches: images of a batch on all devices, while `batch` and
  /// `images` are the device's own; 0: its batches are whole.
  std::int64_t shared_batch = 0;
  std::filesystem::path meeting; ///< of shared batches: where the devices meet, device_meeting.h
  /// Of shared batches: how long a device waits for another. Less than the front waits for a sign
  /// of life, so that its row says what it waited for.
  double patience_s = 300;
  std::vector<std::string> prompts; ///< one, or `images` of them
  std::optional<std::string> negative_prompt;
  std::uint64_t seed = 0;
  std::int64_t threads = 0;           ///< 0: all
  std::optional<std::int64_t> warmup; ///< empty: auto
  /// With max_noise, the fewest runs; 0 (which no option gives): the first image is all.
  std::int64_t repeat = 3;
  std::optional<double> max_noise;  ///< of the mean end-to-end time, as a fraction of it
  std::optional<double> max_time_s; ///< of the whole cell
  std::optional<double> expected_s; ///< what it should take, by earlier rows; empty: unknown
  std::filesystem::path init_latents;
  std::filesystem::path dump_latents;
  std::filesystem::path save_images;
  std::filesystem::path dump_run; ///< pixels, and latents after each step: see RunDump
  bool dump_step_images = false;  ///< with dump_run: the image after each step, too
  /// Where another's engine keeps what it made for the cell; empty: nowhere.
  std::filesystem::path keep_folder;
};

/// Whether classifier-free guidance runs, so that the UNet sees two halves: diffusers' rule.
[[nodiscard]] bool is_guided(const UNetConfig& unet, double guidance);
[[nodiscard]] bool is_guided(const Cell& cell);
/// Images that one call of the UNet computes.
[[nodiscard]] std::int64_t unet_batch(const Cell& cell);
/// Calls of the UNet for a batch as a plan counts them; a schedule may have one more or one fewer.
/// Of a network 1: a batch is a step.
[[nodiscard]] std::int64_t planned_calls(const Cell& cell);

/// Batches of a run: of a network its iterations.
[[nodiscard]] inline std::int64_t batches_of(const Cell& cell) {
  return batch_count(cell.images, cell.batch);
}
/// Whether a first run, for which nothing is warm, comes before the timed ones. A single epoch is
/// timed itself, for there is no other.
[[nodiscard]] inline bool has_first_run(const Cell& cell) {
  return cell.epochs != 1;
}
/// The first run and the timed ones: the fewest, where the cell itself decides.
[[nodiscard]] inline std::int64_t whole_runs(const Cell& cell) {
  return cell.repeat + (has_first_run(cell) ? 1 : 0);
}
/// Images of a batch on all devices that share it.
[[nodiscard]] inline std::int64_t whole_batch(const Cell& cell) {
  return cell.shared_batch > 0 ? cell.shared_batch : cell.batch;
}
/// Images of the largest batch that the device computes: data sets may have fewer than a batch.
[[nodiscard]] inline std::int64_t largest_batch(const Cell& cell) {
  return cell.epochs > 0 ? std::min(cell.batch, cell.images) : cell.batch;
}
/// Another batch, of which a run has as many as before.
void set_batch(Cell& cell, std::int64_t batch);

/// The sampler that runs and its noise levels: "euler" or "euler_karras".
[[nodiscard]] std::string sampler_of(const Cell& cell);

/// Fills in defaults and checks everything that can be checked without a device: sizes, steps,
/// counts, names (UsageError), model and weights on disk (Error). `--weights FOLDER` with no
/// --model given takes the folder's own configs. `model_given`: whether the user named a model.
[[nodiscard]] Cell resolve_cell(const RunConfig& config, bool model_given);

/// A cell of a sweep, which may be one that cannot be although each of its values can.
struct PlannedCell {
  Cell cell;
  std::string obstacle; ///< "--images must be a multiple of --batch (3), but is 4"; empty: none
  /// The Error whose words the obstacle is: model or weights cannot be read. Of the model the cell
  /// then has its name alone, and 0 stands for each size that the model would have said.
  std::exception_ptr unreadable = nullptr;
};
/// resolve_cell for one of many cells: what does not fit together, and files that cannot be read,
/// are the obstacle, and no error.
[[nodiscard]] PlannedCell plan_cell(const RunConfig& config, bool model_given,
                                    ModelResolver& models);
/// Throws the obstacle as resolve_cell does.
[[noreturn]] void refuse(const PlannedCell& planned);

} // namespace sdbench
