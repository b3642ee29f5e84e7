#include "sdbench/base/types/cell_stage.h"

#include <algorithm>
#include <array>

namespace sdbench {
namespace {

struct StageWords {
  CellStage stage;
  std::string_view name;
  std::string_view title;
  std::string_view run_title;
};

constexpr std::array kStages{
    StageWords{CellStage::kStart, "start", "start", "start"},
    StageWords{CellStage::kLoad, "load", "load", "load"},
    StageWords{CellStage::kPrepare, "prepare", "prepare", "prepare"},
    StageWords{CellStage::kFirstImage, "first_image", "first image", "first image"},
    StageWords{CellStage::kWarmup, "warmup", "warmup", "warm-up"},
    StageWords{CellStage::kWait, "wait", "wait", "wait"},
    StageWords{CellStage::kMeasure, "measure", "measure", "timed run"},
    StageWords{CellStage::kTest, "test", "test images", "test images"},
    StageWords{CellStage::kGolden, "golden", "golden", "golden"},
    StageWords{CellStage::kCheck, "check", "check of the answers", "check of the answers"},
    StageWords{CellStage::kSave, "save", "save", "save"},
    StageWords{CellStage::kStepImages, "step_images", "images after steps", "images after steps"},
    StageWords{CellStage::kEnded, "ended", "ended", "ended"},
    StageWords{CellStage::kExport, "export", "export", "export"},
};

const StageWords& words_of(CellStage stage) {
  return *std::ranges::find(kStages, stage, &StageWords::stage);
}

} // namespace

std::string_view name_of(CellStage stage) {
  return words_of(stage).name;
}

std::string_view name_of(std::optional<CellStage> stage) {
  return stage ? name_of(*stage) : std::string_view();
}

std::optional<CellStage> cell_stage_named(std::string_view name) {
  const auto* const found = std::ranges::find(kStages, name, &StageWords::name);
  return found == kStages.end() ? std::nullopt : std::optional(found->stage);
}

std::string_view title_of(CellStage stage) {
  return words_of(stage).title;
}

std::string_view run_title_of(CellStage stage) {
  return words_of(stage).run_title;
}

} // namespace sdbench
