#include "sdbench/base/types/cell_stage.h"

#include <optional>
#include <set>
#include <string_view>

#include "catch.h"

using namespace sdbench;

TEST_CASE("each stage of a cell has a word of its own, by which it is found again") {
  std::set<std::string_view> names;
  for (int number = 0; number <= static_cast<int>(CellStage::kExport); ++number) {
    const auto stage = static_cast<CellStage>(number);
    CHECK(cell_stage_named(name_of(stage)) == stage);
    CHECK(names.insert(name_of(stage)).second);
    CHECK_FALSE(title_of(stage).empty());
    CHECK_FALSE(run_title_of(stage).empty());
  }
  CHECK(names == std::set<std::string_view>{"start", "load", "prepare", "first_image", "warmup",
                                            "wait", "measure", "test", "golden", "check", "save",
                                            "step_images", "ended", "export"});
}

TEST_CASE("a word that is no stage is none, and no stage has no word") {
  CHECK_FALSE(cell_stage_named("idle"));
  CHECK_FALSE(cell_stage_named(""));
  CHECK_FALSE(cell_stage_named("Load"));
  CHECK(name_of(std::optional<CellStage>()).empty());
  CHECK(name_of(std::optional(CellStage::kLoad)) == "load");
}

TEST_CASE("a person reads titles where a word is none of everyday speech") {
  CHECK(title_of(CellStage::kFirstImage) == "first image");
  CHECK(title_of(CellStage::kStepImages) == "images after steps");
  CHECK(title_of(CellStage::kMeasure) == "measure");
  CHECK(run_title_of(CellStage::kMeasure) == "timed run");
  CHECK(run_title_of(CellStage::kWarmup) == "warm-up");
  CHECK(run_title_of(CellStage::kFirstImage) == "first image");
}
