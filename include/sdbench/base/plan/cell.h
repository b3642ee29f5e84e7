#pragma once

#include <algorithm>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sdbench/base/config/engine_axis_table.h"
#include "sdbench/base/config/model_config.h"
#include "sdbench/base/config/run_config.h"
#include "sdbench/base/config/work_field_table.h"
#include "sdbench/base/dataset/locate_data.h"
#include "sdbench/base/device/cpu_cores.h"
#include "sdbench/base/numbers/units.h"
#include "sdbench/base/plan/resolve_model.h"
#include "sdbench/base/types/precision.h"
#include "sdbench/base/weights/locate.h"

namespace sdbench {

inline constexpr std::int64_t kMaxBatch = 4096;
/// Default number of warm-ups in two cases, where it must not depend on measured times:
/// - Devices share each batch, so all must do the same number of warm-ups.
/// - Each iteration changes the weights, so the losses depend on the number of warm-ups.
inline constexpr std::int64_t kFixedWarmups = 2;
/// Number format of image classifiers with --dtype auto: fp32, whose range keeps gradients finite.
inline constexpr Dtype kNetworkDtype = Dtype::kF32;

/// A cell: one measurement of a sweep, with all defaults filled in. The cell is sent to a worker
/// process, which measures it. The worker also chooses what is still "auto" (device, dtype,
/// warm-ups, engine options), because it sees the device.
struct Cell : CellWork, EngineAxes {
  ModelConfig model;
  WeightsLocation weights;
  DataLocation data; ///< training data; only with epochs
  /// Only with epochs. True: all images are copied to the device at the start.
  bool data_on_device = false;
  std::optional<Precision> dtype; ///< empty: the worker chooses
  std::string device = "auto";    ///< as the user named it: auto, cpu, cpu:K, cuda, cuda:N, intel:N
  /// The device's name inside a worker process that sees only this device; empty: same as `device`.
  std::string device_in_worker;
  std::optional<CpuShare> cpu_share; ///< part of the cores, for cpu:K; empty: all cores
  /// All devices of the parallel execution (--parallel) that this cell belongs to; empty: the cell
  /// runs alone. If `device` is all these names joined by "+", the cell describes the whole
  /// execution, else only one device's part; see device_cells.
  std::vector<std::string> parallel_devices;
  std::string share; ///< value of --share for a parallel execution: prompts, batch or each
  /// Number of images in a batch that several devices share; `batch` and `images` then count only
  /// this device's images. 0: the devices do not share batches.
  std::int64_t shared_batch = 0;
  /// If devices share each batch: folder through which the devices find each other, see
  /// device_meeting.h.
  std::filesystem::path meeting;
  /// If devices share each batch: maximum time in seconds that a device waits for another one. It
  /// is half of --timeout, so that the waiting worker is not killed and can still report an error
  /// that names the missing device.
  double patience_s = 300;
  std::vector<std::string> prompts; ///< one prompt for all images, or one for each
  std::optional<std::string> negative_prompt;
  std::uint64_t seed = 0;
  std::int64_t threads = 0;           ///< CPU threads; 0: one for each core
  std::optional<std::int64_t> warmup; ///< number of warm-ups; empty: auto
  /// Number of timed runs; with max_noise, more may follow. 0 (only in `sdbench quality`): the
  /// first run is the only run.
  std::int64_t repeat = 3;
  /// Timed runs end once the mean end-to-end time has a relative standard error below this value.
  std::optional<double> max_noise;
  std::optional<double> max_time_s; ///< time limit of the whole cell, seconds
  /// Expected duration of the cell in seconds, from earlier rows of results; empty: unknown.
  std::optional<double> expected_s;
  std::filesystem::path init_latents;
  std::filesystem::path dump_latents;
  std::filesystem::path save_images;
  /// Output file for the final pixels and for the latents after each step; see RunDump.
  std::filesystem::path dump_run;
  bool dump_step_images = false; ///< only with dump_run: also decodes the image after each step
  /// Folder where an external engine keeps exported and compiled models for later cells; empty: it
  /// keeps nothing.
  std::filesystem::path keep_folder;
};

/// True if classifier-free guidance is used, so that the UNet computes a conditional and an
/// unconditional half. The rule is diffusers': the scale is above 1, and the denoiser does not take
/// the scale as an input.
[[nodiscard]] bool is_guided(const DenoiserConfig& denoiser, double guidance);
[[nodiscard]] bool is_guided(const Cell& cell);
/// Batch size of one UNet call: twice the cell's batch with classifier-free guidance.
[[nodiscard]] std::int64_t unet_batch(const Cell& cell);
/// Planned number of UNet calls per batch. The real number may differ by one, depending on the
/// schedule. For an image classifier the result is 1, because each batch is one step.
[[nodiscard]] std::int64_t planned_calls(const Cell& cell);

/// Number of batches per run. For an image classifier, a batch is an iteration.
[[nodiscard]] inline std::int64_t batches_of(const Cell& cell) {
  return batch_count(cell.images, cell.batch);
}
/// True if a cold first run precedes the timed runs. False for a single epoch, because that
/// epoch is timed.
[[nodiscard]] inline bool has_first_run(const Cell& cell) {
  return cell.epochs != 1;
}
/// Number of runs: the first run (if any) and the timed runs. With max_noise, more may follow.
[[nodiscard]] inline std::int64_t whole_runs(const Cell& cell) {
  return cell.repeat + (has_first_run(cell) ? 1 : 0);
}
/// Number of images in a batch, including the parts of other devices that share the batch.
[[nodiscard]] inline std::int64_t whole_batch(const Cell& cell) {
  return cell.shared_batch > 0 ? cell.shared_batch : cell.batch;
}
/// Number of images of the largest batch that the device computes. This is `batch`, unless the data
/// set of a training with epochs has fewer images.
[[nodiscard]] inline std::int64_t largest_batch(const Cell& cell) {
  return cell.epochs > 0 ? std::min(cell.batch, cell.images) : cell.batch;
}
/// Sets `batch` and, without epochs, adapts `images` to keep the number of batches per run.
void set_batch(Cell& cell, std::int64_t batch);

/// The sampler and its noise levels in one word: "euler" or "euler_karras".
[[nodiscard]] std::string sampler_of(const Cell& cell);

/// Fills in defaults, and checks everything that can be checked without a device. Throws UsageError
/// for invalid sizes, steps, counts and names, and Error if model or weights on disk cannot be
/// read. `--weights FOLDER` without --model uses the folder's own configs. `model_given`: true if
/// the user gave --model.
[[nodiscard]] Cell resolve_cell(const RunConfig& config, bool model_given);

/// A cell of a sweep, and the reason if it cannot run. Option values that are valid alone may
/// contradict each other in a combination.
struct PlannedCell {
  Cell cell;
  /// Why the cell cannot run: "--images must be a multiple of --batch (3), but is 4". Empty if it
  /// can run.
  std::string obstacle;
  /// If a file cannot be read, the Error that says so; else nullptr. If the model or weights cannot
  /// be read, `cell.model` has only a name; sizes, steps, guidance are 0 unless the user gave them.
  std::exception_ptr unreadable = nullptr;
};
/// Like resolve_cell, for one of many cells: if values contradict each other or a file cannot be
/// read, sets the obstacle instead of throwing.
[[nodiscard]] PlannedCell plan_cell(const RunConfig& config, bool model_given,
                                    ModelResolver& models);
/// Throws the obstacle as the exception that resolve_cell would throw.
[[noreturn]] void refuse(const PlannedCell& planned);

} // namespace sdbench
