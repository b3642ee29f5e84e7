#pragma once

#include <optional>
#include <string_view>

namespace sdbench {

/// The stages of a cell, in order of time. A record holds the stage in which its cell ended.
enum class CellStage {
  kStart,      ///< until the worker process's first message
  kLoad,       ///< weights to the device
  kPrepare,    ///< exporting, converting, compiling or tuning for the cell
  kFirstImage, ///< the first run, which is cold
  kWarmup,
  kWait, ///< for the other devices of a parallel execution: before each timed run, after the last
  kMeasure,
  kTest,   ///< classifies test images after the epochs; each batch is a step of this stage
  kGolden, ///< the check against diffusers' numbers
  kCheck,  ///< computes a network's batch again in engine plain's order, which hides no non-finite
           ///< value
  kSave,
  kStepImages, ///< decodes images after the steps: each of them is a step of this stage
  kEnded,      ///< one of several devices has ended, well or not
  kExport,     ///< writes weights; belongs to no cell
};

/// "start", "load", "prepare", "first_image", "warmup", "wait", "measure", "test", "golden",
/// "check", "save", "step_images", "ended", "export": the stage's word in records, telemetry,
/// messages and the protocol.
[[nodiscard]] std::string_view name_of(CellStage stage);
/// The same; empty without a stage.
[[nodiscard]] std::string_view name_of(std::optional<CellStage> stage);
[[nodiscard]] std::optional<CellStage> cell_stage_named(std::string_view name);

/// The stage's name for people: "first image". Usually equal to its word.
[[nodiscard]] std::string_view title_of(CellStage stage);
/// One of the stage's runs for people: "timed run". Usually equal to the stage's title.
[[nodiscard]] std::string_view run_title_of(CellStage stage);

} // namespace sdbench
