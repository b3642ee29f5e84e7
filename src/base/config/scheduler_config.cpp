#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "config_reader.h"
#include "sdbench/base/config/component_configs.h"
#include "sdbench/base/config/model_config.h"
#include "sdbench/base/config/model_family_table.h"
#include "sdbench/base/config/sampler_table.h"
#include "sdbench/base/files/json_io.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/base/text/named.h"

namespace sdbench {
namespace {

/// diffusers' KarrasDiffusionSchedulers and their variants with the same keys, except
/// EDMEulerScheduler: diffusers converts it, but loses its noise levels (sigma_min, sigma_max,
/// sigma_data).
constexpr std::array<std::string_view, 18> kConvertible{
    "DDIMParallelScheduler",
    "DDIMScheduler",
    "DDPMParallelScheduler",
    "DDPMScheduler",
    "DEISMultistepScheduler",
    "DPMSolverMultistepScheduler",
    "DPMSolverSDEScheduler",
    "DPMSolverSinglestepScheduler",
    "EulerAncestralDiscreteScheduler",
    "EulerDiscreteScheduler",
    "HeunDiscreteScheduler",
    "KDPM2AncestralDiscreteScheduler",
    "KDPM2DiscreteScheduler",
    "LMSDiscreteScheduler",
    "PNDMScheduler",
    "SASolverScheduler",
    "UniPCMultistepScheduler",
    "DPMSolverMultistepInverseScheduler",
};

/// Why our sampler cannot replace a scheduler of this class; empty if it can.
std::string class_obstacle(const std::string& class_name) {
  if (std::find(kConvertible.begin(), kConvertible.end(), class_name) != kConvertible.end()) {
    return "";
  }
  return class_name.find("FlowMatch") != std::string::npos ? "flow matching is another process"
         : class_name == "LCMScheduler" || class_name == "TCDScheduler"
             ? "a distilled model's sampler is another process"
         : class_name == "EDMEulerScheduler"
             ? "EDM's noise levels belong to another kind of model, and a conversion would lose "
               "them"
             : std::string(kUsualSampler.title) + " is not known to replace it";
}

/// "use_beta_sigmas is true, which is not implemented"
std::string not_implemented(const char* key, const Json& value) {
  return std::string(key) + " is " + describe_json(value) + ", which is not implemented";
}

constexpr Named<BetaSchedule> kBetaSchedules[] = {
    {BetaSchedule::kLinear, "linear"},
    {BetaSchedule::kScaledLinear, "scaled_linear"},
    {BetaSchedule::kSquaredCosCapV2, "squaredcos_cap_v2"}};
constexpr Named<TimestepSpacing> kSpacings[] = {{TimestepSpacing::kLeading, "leading"},
                                                {TimestepSpacing::kLinspace, "linspace"},
                                                {TimestepSpacing::kTrailing, "trailing"}};
constexpr Named<PredictionType> kPredictionTypes[] = {
    {PredictionType::kEpsilon, "epsilon"},
    {PredictionType::kVPrediction, "v_prediction"},
    {PredictionType::kSample, "sample"},
    {PredictionType::kSample, "original_sample"}}; // the older name

/// An unknown schedule becomes the obstacle, unless there is one already, and linear replaces it.
BetaSchedule schedule_or_obstacle(const ConfigReader& reader, std::string& obstacle) {
  const std::string name = reader.text("beta_schedule", "linear");
  const std::optional<BetaSchedule> found = value_named(kBetaSchedules, name);
  if (!found && obstacle.empty()) {
    obstacle = not_implemented("beta_schedule", name);
  }
  return found.value_or(BetaSchedule::kLinear);
}

TimestepSpacing read_spacing(const ConfigReader& reader) {
  const auto found = timestep_spacing_from_name(reader.text("timestep_spacing", "linspace"));
  if (!found) {
    reader.refuse("timestep_spacing",
                  "leading or linspace or trailing (nothing else is implemented)");
  }
  return *found;
}

/// Why diffusers' class raises an error for this prediction type; empty if it does not.
std::string prediction_refusal(const std::string& type) {
  if (value_named(kPredictionTypes, type)) {
    return "";
  }
  const auto names = mapped<std::string>(kPredictionTypes, &Named<PredictionType>::name);
  return "the scheduler's prediction_type must be " + joined(names, " or ") + ", which " +
         std::string(kUsualSampler.scheduler_class) + " computes, but is " + describe_json(type) +
         "; take another model";
}

/// The first key that requests other noise levels than ours; empty if there is no such key.
std::string key_obstacle(const ConfigReader& reader) {
  const std::pair<const char*, std::vector<Json>> kKnown[] = {
      {"final_sigmas_type", {"zero"}},
      {"interpolation_type", {"linear"}},
      {"sigma_max", {nullptr}},
      {"sigma_min", {nullptr}},
      {"timestep_type", {"discrete", nullptr}},
      {"trained_betas", {nullptr}},
      {"use_beta_sigmas", {false, nullptr}},
      {"use_exponential_sigmas", {false, nullptr}},
      // EulerDiscreteScheduler lacks this key, and would run such a model as if it were of the
      // usual kind.
      {"use_flow_sigmas", {false, nullptr}},
  };
  for (const auto& [key, values] : kKnown) {
    const Json* const value = reader.find(key);
    if (value != nullptr && std::find(values.begin(), values.end(), *value) == values.end()) {
      return not_implemented(key, *value);
    }
  }
  return {};
}

} // namespace

std::string_view name_of(PredictionType type) {
  return name_in(kPredictionTypes, type);
}

std::string_view name_of(TimestepSpacing spacing) {
  return name_in(kSpacings, spacing);
}

std::optional<TimestepSpacing> timestep_spacing_from_name(std::string_view name) {
  return value_named(kSpacings, name);
}

SchedulerConfig parse_scheduler_config(const Json& config,
                                       const std::optional<std::string>& class_name,
                                       PipelineClass pipeline, const std::string& where) {
  const ConfigReader reader(config, where);
  const std::string own_class =
      reader.text("_class_name", std::string(kUsualSampler.scheduler_class));

  SchedulerConfig scheduler;
  scheduler.source_class = class_name.value_or(own_class);
  scheduler.obstacle = class_obstacle(scheduler.source_class);
  if (scheduler.obstacle.empty()) { // the keys belong to the config's own class
    scheduler.obstacle = class_obstacle(own_class);
    scheduler.source_class = scheduler.obstacle.empty() ? scheduler.source_class : own_class;
  }
  if (scheduler.obstacle.empty()) {
    scheduler.obstacle = key_obstacle(reader);
  }
  scheduler.num_train_timesteps = reader.integer("num_train_timesteps", 1000, {2, 100'000});
  // The defaults of our sampler's class, for any class that wrote the file.
  scheduler.beta_start = reader.number("beta_start", 0.0001, {1e-12, 0.999});
  scheduler.beta_end = reader.number("beta_end", 0.02, {1e-12, 0.999});
  scheduler.beta_schedule = schedule_or_obstacle(reader, scheduler.obstacle);
  const std::string prediction = reader.text("prediction_type", "epsilon");
  scheduler.refusal = prediction_refusal(prediction);
  scheduler.prediction_type =
      value_named(kPredictionTypes, prediction).value_or(PredictionType::kEpsilon);
  scheduler.timestep_spacing = read_spacing(reader);
  scheduler.steps_offset = reader.optional_integer("steps_offset", {0, 1'000}).value_or(0);
  scheduler.use_karras_sigmas = reader.truth("use_karras_sigmas", false);
  scheduler.rescale_betas_zero_snr = reader.truth("rescale_betas_zero_snr", false);
  // That pipeline calls any other value outdated, even the default, and replaces it. A conversion
  // from another class loses the replaced default.
  const bool keeps_replaced_default = scheduler.source_class == kUsualSampler.scheduler_class &&
                                      scheduler.timestep_spacing == TimestepSpacing::kLeading;
  if (family_of(pipeline).corrects_old_configs &&
      (reader.has("steps_offset") || keeps_replaced_default)) {
    scheduler.steps_offset = 1;
  }
  return scheduler;
}

} // namespace sdbench
