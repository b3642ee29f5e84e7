#pragma once

#include <optional>
#include <string_view>

namespace sdbench {

/// The stages of a cell (one measurement), in the order in which they happen. A record contains the
/// stage in which its cell ended.
enum class CellStage {
  kStart,      ///< until the worker process sends its first message
  kLoad,       ///< loads the weights to the device
  kPrepare,    ///< exports, converts, compiles or tunes the model for the cell
  kFirstImage, ///< the first run, which is cold
  kWarmup,
  /// In a parallel execution: waits for the other devices before each timed run, and once more
  /// after the last timed run.
  kWait,
  /// The timed runs.
  kMeasure,
  kTest,   ///< classifies the test images after the epochs; here a step is one batch
  kGolden, ///< compares results with golden values from diffusers or PyTorch
  /// Image classifiers: computes a batch again in engine plain's order of operations. In that
  /// order, no operation can hide a value that is not finite.
  kCheck,
  /// Saves images and latents.
  kSave,
  kStepImages, ///< decodes the latents after each scheduler step except the last
  kEnded,      ///< one of several devices has ended, with or without an error
  kExport,     ///< writes weights for `export-weights`; not part of a cell
};

/// The stage's name in records, telemetry, messages and the worker protocol: "start", "load",
/// "prepare", "first_image", "warmup", "wait", "measure", "test", "golden", "check", "save",
/// "step_images", "ended", "export".
[[nodiscard]] std::string_view name_of(CellStage stage);
/// The name of an optional stage; empty for nullopt.
[[nodiscard]] std::string_view name_of(std::optional<CellStage> stage);
[[nodiscard]] std::optional<CellStage> cell_stage_named(std::string_view name);

/// The stage's name in texts for people, such as "first image". For most stages it is the same as
/// name_of.
[[nodiscard]] std::string_view title_of(CellStage stage);
/// The name of a single run of the stage in texts for people, such as "timed run". For most stages
/// it is the same as title_of.
[[nodiscard]] std::string_view run_title_of(CellStage stage);

} // namespace sdbench
