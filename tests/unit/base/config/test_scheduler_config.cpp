#include "catch.h"

#include <optional>
#include <string>

#include "model_documents.h"

#include "sdbench/base/config/component_configs.h"
#include "sdbench/base/config/model_config.h"
#include "sdbench/base/config/model_family_table.h"
#include "sdbench/base/files/json_io.h"

using namespace sdbench;
using sdbench::test::error_of;

namespace {

SchedulerConfig parse_text(const char* text,
                           PipelineClass pipeline = PipelineClass::kStableDiffusionXl) {
  return parse_scheduler_config(Json::parse(text), std::nullopt, pipeline, "scheduler");
}

std::string refusal(const char* text) {
  return error_of([&] { return parse_text(text); });
}

} // namespace

TEST_CASE("absent scheduler keys mean EulerDiscreteScheduler's defaults, whatever the class") {
  const SchedulerConfig scheduler = parse_text(R"({"_class_name": "PNDMScheduler"})");
  CHECK(scheduler.source_class == "PNDMScheduler");
  CHECK(scheduler.beta_start == 0.0001);
  CHECK(scheduler.beta_end == 0.02);
  CHECK(scheduler.beta_schedule == BetaSchedule::kLinear);
  CHECK(scheduler.timestep_spacing == TimestepSpacing::kLinspace);
  CHECK(scheduler.steps_offset == 0);
  CHECK_FALSE(scheduler.use_karras_sigmas);
}

TEST_CASE("keys of the source that Euler shares are taken over") {
  const SchedulerConfig scheduler = parse_text(R"({"_class_name": "DPMSolverMultistepScheduler",
      "timestep_spacing": "trailing", "use_karras_sigmas": true, "prediction_type": "v_prediction",
      "steps_offset": 3, "solver_order": 2, "algorithm_type": "dpmsolver++"})");
  CHECK(scheduler.timestep_spacing == TimestepSpacing::kTrailing);
  CHECK(scheduler.use_karras_sigmas);
  CHECK(scheduler.prediction_type == PredictionType::kVPrediction);
  for (const char* sample : {"sample", "original_sample"}) {
    const SchedulerConfig other = parse_text(Json{{"prediction_type", sample}}.dump().c_str());
    CHECK(other.prediction_type == PredictionType::kSample);
    CHECK(other.obstacle.empty());
  }
  CHECK(scheduler.steps_offset == 3);
  CHECK_FALSE(parse_text(R"({"use_karras_sigmas": null})").use_karras_sigmas);
}

TEST_CASE("the beta schedules that EulerDiscreteScheduler has are taken") {
  const auto taken = [](const char* name) {
    const SchedulerConfig scheduler = parse_text(Json{{"beta_schedule", name}}.dump().c_str());
    CHECK(scheduler.obstacle.empty());
    return scheduler.beta_schedule;
  };
  CHECK(taken("linear") == BetaSchedule::kLinear);
  CHECK(taken("scaled_linear") == BetaSchedule::kScaledLinear);
  CHECK(taken("squaredcos_cap_v2") == BetaSchedule::kSquaredCosCapV2);
}

TEST_CASE("the class that model_index.json names goes before the config's own") {
  const auto scheduler =
      parse_scheduler_config(Json::parse(R"({"_class_name": "DDIMScheduler"})"), "PNDMScheduler",
                             PipelineClass::kStableDiffusion, "scheduler");
  CHECK(scheduler.source_class == "PNDMScheduler");
}

TEST_CASE("a written steps_offset becomes 1 in a StableDiffusionPipeline, as diffusers sets it") {
  const auto pipeline = PipelineClass::kStableDiffusion;
  CHECK(parse_text(R"({"steps_offset": 0})", pipeline).steps_offset == 1);
  CHECK(parse_text(R"({"steps_offset": 5})", pipeline).steps_offset == 1);
  CHECK(parse_text(R"({"steps_offset": null})", pipeline).steps_offset == 1);
  CHECK(parse_text(R"({})", pipeline).steps_offset == 0);
  // Euler's own default is replaced, too; of another class a conversion loses that.
  CHECK(parse_text(R"({"timestep_spacing": "leading"})", pipeline).steps_offset == 1);
  CHECK(parse_text(R"({"timestep_spacing": "leading"})").steps_offset == 0);
  CHECK(parse_text(R"({"_class_name": "PNDMScheduler", "timestep_spacing": "leading"})", pipeline)
            .steps_offset == 0);
  CHECK(parse_text(R"({"steps_offset": 0})").steps_offset == 0);
}

TEST_CASE("betas are rescaled to a zero terminal SNR where the config says so") {
  CHECK(parse_text(R"({"rescale_betas_zero_snr": true})").rescale_betas_zero_snr);
  CHECK_FALSE(parse_text(R"({})").rescale_betas_zero_snr);
}

TEST_CASE("of a scheduler of another process it is said why Euler does not do what it does") {
  for (const char* name : {"FlowMatchEulerDiscreteScheduler", "LCMScheduler", "EDMEulerScheduler",
                           "TCDScheduler", "CogVideoXDDIMScheduler", "MyScheduler"}) {
    const SchedulerConfig scheduler = parse_text(Json{{"_class_name", name}}.dump().c_str());
    CHECK(scheduler.source_class == name);
    CHECK_FALSE(scheduler.obstacle.empty());
  }
  CHECK(parse_text(R"({"_class_name": "EDMEulerScheduler"})").obstacle ==
        "EDM's noise levels belong to another kind of model, and a conversion would lose them");
  CHECK(parse_text(R"({"_class_name": "PNDMScheduler"})").obstacle.empty());
  const auto named_otherwise =
      parse_scheduler_config(Json::parse(R"({"_class_name": "LCMScheduler"})"), "PNDMScheduler",
                             PipelineClass::kStableDiffusion, "scheduler");
  CHECK_FALSE(named_otherwise.obstacle.empty());
  CHECK(named_otherwise.source_class == "LCMScheduler"); // the one that is to blame
}

TEST_CASE("a number that Python writes and JSON does not know passes where it is not read") {
  const Json config = parse_json(R"({"lambda_min_clipped": -Infinity})");
  CHECK(parse_scheduler_config(config, std::nullopt, PipelineClass::kStableDiffusion, "scheduler")
            .obstacle.empty());
  for (const char* value : {"NaN", "Infinity"}) {
    const Json wrong = parse_json(std::string("{\"beta_end\": ") + value + "}");
    CHECK(error_of([&] {
            (void)parse_scheduler_config(wrong, std::nullopt, PipelineClass::kStableDiffusion,
                                         "scheduler");
          }) ==
          "scheduler: beta_end must be a number from 1e-12 to 0.999, but is " + std::string(value));
  }
}

TEST_CASE("scheduler keys that are not implemented are an obstacle, named by key and value") {
  CHECK(parse_text(R"({"final_sigmas_type": "sigma_min"})").obstacle ==
        "final_sigmas_type is \"sigma_min\", which is not implemented");
  for (const char* config :
       {R"({"trained_betas": [0.1, 0.2]})", R"({"use_exponential_sigmas": true})",
        R"({"use_beta_sigmas": true})", R"({"sigma_min": 0.1})", R"({"sigma_max": 14})",
        R"({"timestep_type": "continuous"})", R"({"final_sigmas_type": "sigma_min"})",
        R"({"interpolation_type": "log_linear"})", R"({"beta_schedule": "sigmoid"})",
        R"({"use_flow_sigmas": true})"}) {
    CAPTURE(config);
    const std::string key = Json::parse(config).begin().key();
    CHECK(parse_text(config).obstacle.starts_with(key + " is "));
  }
  CHECK(parse_text(R"({"prediction_type": "flow_prediction"})")
            .refusal.find("but is \"flow_prediction\"") != std::string::npos);
  CHECK(parse_text(R"({"prediction_type": "v_prediction"})").refusal.empty());
  CHECK(parse_text(R"({"use_beta_sigmas": false, "sigma_min": null})").obstacle.empty());
  CHECK(parse_text(R"({"_class_name": "LCMScheduler", "trained_betas": [0.1]})")
            .obstacle.find("distilled") != std::string::npos); // the class says more
  CHECK(refusal(R"({"timestep_spacing": "uniform"})").find("timestep_spacing") !=
        std::string::npos); // no word of diffusers
  CHECK_FALSE(refusal(R"({"beta_schedule": 5})").empty());
}

TEST_CASE("scheduler numbers out of range are refused") {
  CHECK_FALSE(refusal(R"({"num_train_timesteps": 0})").empty());
  CHECK_FALSE(refusal(R"({"num_train_timesteps": 1e9})").empty());
  CHECK_FALSE(refusal(R"({"beta_end": 1.5})").empty());
  CHECK_FALSE(refusal(R"({"beta_start": -0.1})").empty());
}
