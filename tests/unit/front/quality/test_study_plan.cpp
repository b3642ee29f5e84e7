#include "sdbench/front/quality/study_plan.h"

#include <algorithm>

#include "catch.h"
#include "sdbench/base/config/engine_axis_table.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/types/dtype.h"
#include "sdbench/base/types/precision.h"

using namespace sdbench;
using Catch::Matchers::ContainsSubstring;

namespace {

Study planned_study(Json values, const std::vector<std::string>& reference = {}) {
  values["model"] = "tiny-sd15";
  values["weights"] = "synthetic";
  return plan_study(values, reference);
}

std::vector<std::string> words_of(const Study& study) {
  std::vector<std::string> words;
  for (const StudyCell& candidate : study.candidates) {
    words.push_back(candidate.words);
  }
  return words;
}

} // namespace

TEST_CASE("dtypes are compared with fp32, each in the same work and without timed runs") {
  const Study study = planned_study({{"dtype", {"fp16", "autocast-bf16"}}, {"seed", 5U}});
  CHECK(study.reference.words == "fp32");
  CHECK(study.reference.cell.dtype == Precision(Dtype::kF32));
  CHECK(words_of(study) == std::vector<std::string>{"fp16", "autocast-bf16"});
  for (const StudyCell& candidate : study.candidates) {
    CHECK(candidate.cell.seed == 5);
    CHECK(candidate.cell.repeat == 0);
    CHECK(candidate.cell.warmup == 0);
  }
}

TEST_CASE("candidates without a dtype have the reference's, and lists make all combinations") {
  const Study study = planned_study({{"attention", {"math", "flash"}}, {"steps", {10, 30}}},
                                    {"dtype=bf16,steps=50"});
  CHECK(study.reference.words == "bf16, 50 steps, attention auto");
  CHECK(words_of(study) == std::vector<std::string>{"bf16, 10 steps, attention math",
                                                    "bf16, 10 steps, attention flash",
                                                    "bf16, 30 steps, attention math",
                                                    "bf16, 30 steps, attention flash"});
}

TEST_CASE("what one value holds for is the reference's too, unless --reference says otherwise") {
  const Study shared = planned_study({{"dtype", "bf16"}, {"vae-tiling", true}, {"steps", 7}});
  CHECK(shared.reference.cell.vae_tiling == "on");
  CHECK(shared.reference.cell.steps == 7);
  const Study own = planned_study({{"vae-tiling", true}}, {"vae-tiling=false"});
  CHECK(own.reference.words == "fp32, VAE tiling off");
  CHECK(words_of(own) == std::vector<std::string>{"fp32, VAE tiling on"});
}

TEST_CASE("a candidate that is the reference itself is left out, and one must remain") {
  CHECK(words_of(planned_study({{"dtype", {"fp32", "bf16"}}})) == std::vector<std::string>{"bf16"});
  CHECK_THROWS_WITH(planned_study(Json::object()),
                    "quality must have candidates that differ from the reference (fp32), but has "
                    "none; name some, such as --dtype fp16,bf16");
  CHECK_THROWS_AS(planned_study({{"dtype", "fp32"}}), UsageError);
}

TEST_CASE("what makes the pictures may not be a list") {
  for (const char* name : {"seed", "guidance", "clip-skip"}) {
    CHECK_THROWS_WITH(
        planned_study({{"dtype", "bf16"}, {name, {1U, 2U}}}),
        ContainsSubstring("must have one value, because all candidates make the same pictures"));
  }
  CHECK_THROWS_WITH(planned_study({{"dtype", "bf16"}, {"batch", "auto"}}),
                    ContainsSubstring("--batch must be a number in a quality study, but is auto"));
}

TEST_CASE("a reference that cannot be is refused by name") {
  CHECK_THROWS_WITH(planned_study({{"dtype", "bf16"}}, {"atention=math"}),
                    ContainsSubstring("did you mean attention?"));
  CHECK_THROWS_WITH(planned_study({{"dtype", "bf16"}}, {"size=64x64"}),
                    ContainsSubstring("--reference must set how the pictures are computed"));
  CHECK_THROWS_WITH(planned_study({{"dtype", "bf16"}}, {"dtype"}),
                    ContainsSubstring("--reference must be NAME=VALUE"));
  CHECK_THROWS_WITH(planned_study({{"dtype", "bf16"}}, {"vae-tiling=maybe"}),
                    ContainsSubstring("must be true or false"));
  CHECK_THROWS_WITH(planned_study({{"dtype", "bf16"}}, {"dtype=fp8"}), ContainsSubstring("fp8"));
}

TEST_CASE("counts that do not fit end the study at its reference, and one candidate otherwise") {
  CHECK_THROWS_AS(planned_study({{"dtype", "bf16"}, {"images", 3}, {"batch", 2}}), UsageError);
  const Study study = planned_study({{"batch", {2, 3}}, {"images", 4}}, {"batch=1"});
  CHECK(study.candidates[0].obstacle.empty());
  CHECK_THAT(study.candidates[1].obstacle, ContainsSubstring("--images must be a multiple"));
}

TEST_CASE("candidates may differ in each axis of the engine, which names them") {
  const std::vector<std::string> names = study_option_names();
  for (const EngineAxis& axis : engine_axes()) {
    INFO(axis.name);
    CHECK(std::ranges::find(names, option_name(axis)) != names.end());
    if (own_choices(axis).size() == 1) {
      continue; // the reference has our engine, which lacks this
    }
    const std::string& other = axis.choices.back();
    const Study study =
        planned_study({{option_name(axis), axis.is_flag ? Json(other == "on") : Json(other)}},
                      {option_name(axis) + "=" + (axis.is_flag ? "false" : axis.choices.front())});
    const std::string words = axis.name == "engine" ? "" : std::string(axis.words) + " ";
    CHECK(words_of(study) == std::vector<std::string>{"fp32, " + words + other});
  }
}

TEST_CASE("candidates of all engines are those that can run, beside ours") {
  const EnginesOfDevice all = [](const std::string& device) {
    CHECK(device == "cpu");
    return std::vector<std::string>{"tuned", "plain", "openvino"};
  };
  const Json values = {
      {"model", "tiny-sd15"}, {"weights", "synthetic"}, {"device", "cpu"}, {"engine", "all"}};
  CHECK(words_of(plan_study(values, {}, all)) ==
        std::vector<std::string>{"fp32, sdbench plain", "fp32, openvino"});
  CHECK_THROWS_WITH(plan_study(values, {"engine=all"}, all),
                    "--engine must be one engine here, but is all; name it");
}
