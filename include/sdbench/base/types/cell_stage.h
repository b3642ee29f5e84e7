#pragma once

#include <optional>
#include <string_view>

namespace sdbench {

/// The stages of a cell, in order of time. A record holds the stage in which its cell ended.
enum class CellStage {
  kStart,      ///< until the first message of the worker process
  kLoad,       ///< weights to the device
  kPrepare,    ///< what an engine exports, converts, compiles or tunes for the cell
  kFirstImage, ///< the first run of all, which is cold
  kWarmup,
  kWait, ///< for the other devices of a parallel execution: before each timed run, after the last
  kMeasure,
  kTest,   ///< after epochs: test images are answered; each batch is a step of this stage
  kGolden, ///< the check against diffusers' numbers
  kCheck, ///< a network's batch once more, in engine plain's order, which hides no non-finite value
  kSave,
  kStepImages, ///< images after the steps are decoded: each of them is a step of this stage
  kEnded,      ///< of one device of several, well or not
  kExport,     ///< of no cell: weights are written
};

/// "start", "load", "prepare", "first_image", "warmup", "wait", "measure", "test", "golden",
/// "check", "save", "step_images", "ended", "export": the word of records, telemetry, messages and
/// the protocol.
[[nodiscard]] std::string_view name_of(CellStage stage);
/// The same; empty without a stage.
[[nodiscard]] std::string_view name_of(std::optional<CellStage> stage);
[[nodiscard]] std::optional<CellStage> cell_stage_named(std::string_view name);

/// What a person reads: "first image"; mostly the name.
[[nodiscard]] std::string_view title_of(CellStage stage);
/// What a person reads of one of the stage's runs: "timed run"; mostly the stage's title.
[[nodiscard]] std::string_view run_title_of(CellStage stage);

} // namespace sdbench
