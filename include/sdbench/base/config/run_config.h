#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sdbench/base/config/engine_axes.h"
#include "sdbench/base/config/model_config.h"
#include "sdbench/base/types/dtype.h"

namespace sdbench {

/// Values of --loss: where the backward pass starts.
inline constexpr const char* kCrossEntropy = "cross-entropy";
inline constexpr const char* kLogitSum =
    "logit-sum"; ///< a published benchmark's; nothing is learnt

/// The user's request for one cell. Each member is an option of `sdbench run` with the same name.
/// Empty optionals mean "the model's default". Filled by the command line and config files; see
/// resolve_cell.
struct RunConfig : EngineAxes {
  std::string model = "sd15"; ///< shipped name, architecture file, or folder of configs
  std::string weights;        ///< path, repository id, "synthetic[:SEED]", or empty (look for them)
  std::string task;           ///< see task.h; empty: the model's usual one
  std::optional<std::int64_t> iterations; ///< of a run of a network; one is one batch
  std::string update = "auto";        ///< for train: with the optimiser's step; auto: with epochs
  std::string loss = kCrossEntropy;   ///< for train: this, or kLogitSum
  std::optional<std::int64_t> epochs; ///< for train: over all of `data`; empty: one batch, repeated
  std::string data;                   ///< see locate_data
  std::string data_place = "host";    ///< where an epoch's images wait
  std::optional<std::int64_t> steps;
  std::optional<std::int64_t> width;     ///< pixels
  std::optional<std::int64_t> height;    ///< pixels
  std::optional<std::int64_t> batch = 1; ///< empty: auto, which searches for the best one
  std::optional<std::int64_t> images;    ///< per run; default: the batch, or one for each prompt
  std::string dtype = "auto";            ///< auto, fp16, bf16, fp32, autocast-fp16, autocast-bf16
  std::string device = "auto";           ///< auto, cpu, cpu:K, cuda:N, intel:N; all, until replaced
  std::vector<std::string> devices;      ///< the list that named `device`; empty: named alone
  bool parallel = false;                 ///< the devices of the list run together
  std::string share;                     ///< prompts, batch, each; empty: the task's, if parallel
  std::optional<double> guidance;
  std::int64_t clip_skip = 0;       ///< last layers of the text encoders to skip
  std::vector<std::string> prompts; ///< empty: the default prompt; one is used for all images
  std::optional<std::string> negative_prompt;
  std::uint64_t seed = 0;
  std::string scheduler = "auto"; ///< a sampler; auto: the usual one, if it suits the model
  std::optional<TimestepSpacing> timestep_spacing;
  std::optional<bool> karras;         ///< sigmas after Karras et al. instead of the model's
  std::int64_t threads = 0;           ///< 0: all cores this process may use
  std::optional<std::int64_t> warmup; ///< images before timing, besides the first; empty: auto
  std::int64_t repeat = 3;            ///< timed runs; with max_noise, the fewest
  std::optional<double> max_noise;    ///< relative standard error of the mean end-to-end time
  std::optional<double> max_time_s;   ///< of the whole cell
  std::filesystem::path init_latents;
  std::filesystem::path dump_latents;
  std::filesystem::path save_images;
};

/// "leading", "linspace", "trailing".
[[nodiscard]] std::string_view name_of(TimestepSpacing spacing);
[[nodiscard]] std::optional<TimestepSpacing> timestep_spacing_from_name(std::string_view name);

inline constexpr const char* kDefaultPrompt =
    "a beautiful view of an isolated lake house in an island";

} // namespace sdbench
