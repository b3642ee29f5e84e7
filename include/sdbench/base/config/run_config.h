#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sdbench/base/config/engine_axis_table.h"
#include "sdbench/base/config/model_config.h"
#include "sdbench/base/types/dtype.h"

namespace sdbench {

/// Values of --loss. The loss is the scalar that the backward pass differentiates.
inline constexpr const char* kCrossEntropy = "cross-entropy";
/// Sum of the logits, as in a published benchmark; with this loss, the network learns nothing.
inline constexpr const char* kLogitSum = "logit-sum";

/// The user's options for one cell (one measurement), from the command line and config files. Each
/// member is the option of `sdbench run` with the same name. An empty optional means a default,
/// usually the model's; resolve_cell fills in the defaults.
struct RunConfig : EngineAxes {
  std::string model = "sd15"; ///< shipped name, architecture file, or folder of configs
  /// Path, repository id or "synthetic[:SEED]"; empty: sdbench searches, see locate_weights.
  std::string weights;
  std::string task; ///< a name or alias in task_table.h; empty: the model's usual task
  std::optional<std::int64_t> iterations; ///< image classifiers: batches per run
  /// Only for task train. on: an iteration includes the optimiser's step; off: it does not; auto:
  /// on with epochs, else off.
  std::string update = "auto";
  std::string loss = kCrossEntropy; ///< only for task train: kCrossEntropy or kLogitSum
  /// Only for task train: number of passes over all of `data`; empty: a run repeats one batch.
  std::optional<std::int64_t> epochs;
  std::string data;                ///< training data, see locate_data
  std::string data_place = "host"; ///< where training images are kept during epochs: host or device
  std::optional<std::int64_t> steps;
  std::optional<std::int64_t> width;  ///< pixels
  std::optional<std::int64_t> height; ///< pixels
  /// Number of images computed together; empty (auto): sdbench searches for the fastest batch size.
  std::optional<std::int64_t> batch = 1;
  /// Images per run. Empty: one for each prompt if there are several. With a single prompt: one
  /// batch, or one batch per device if parallel devices divide the images.
  std::optional<std::int64_t> images;
  std::string dtype = "auto"; ///< auto, fp16, bf16, fp32, autocast-fp16, autocast-bf16
  /// auto, cpu, cpu:K, cuda:N, intel:N or all. with_all_devices() replaces "all" by device names.
  std::string device = "auto";
  /// All values of --device, one of which is `device`; empty: --device was not given.
  std::vector<std::string> devices;
  bool parallel = false; ///< true: all devices of the list run at the same time
  /// How parallel devices divide the work, see --share in task_table.h; empty: the task's default.
  std::string share;
  std::optional<double> guidance;
  std::int64_t clip_skip = 0;       ///< how many of the text encoders' last layers to skip
  std::vector<std::string> prompts; ///< one for all images, or one for each; empty: kDefaultPrompt
  std::optional<std::string> negative_prompt;
  std::uint64_t seed = 0;
  /// A sampler's name. auto: Euler, but an error if Euler cannot replace the model's own scheduler.
  std::string scheduler = "auto";
  std::optional<TimestepSpacing> timestep_spacing;
  /// True: noise levels (sigmas) of Karras et al. False: those of the model's training. Empty: as
  /// in the model's scheduler config.
  std::optional<bool> karras;
  std::int64_t threads = 0; ///< CPU threads; 0: one for each core that this process may use
  /// Number of untimed batches between the first run and the timed runs; empty: auto.
  std::optional<std::int64_t> warmup;
  std::int64_t repeat = 3; ///< number of timed runs; with max_noise, the minimum
  /// Adds runs until the relative standard error of the mean end-to-end time is below this value.
  std::optional<double> max_noise;
  std::optional<double> max_time_s; ///< time limit of the whole cell, seconds; empty: no limit
  std::filesystem::path init_latents;
  std::filesystem::path dump_latents;
  std::filesystem::path save_images;
};

inline constexpr const char* kDefaultPrompt =
    "a beautiful view of an isolated lake house in an island";

} // namespace sdbench
