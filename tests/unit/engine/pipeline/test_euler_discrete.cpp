#include "catch.h"

#include <cmath>
#include <cstdint>

#include <ATen/ATen.h>

#include "sdbench/base/config/model_config.h"
#include "sdbench/engine/pipeline/euler_discrete.h"

using namespace sdbench;

namespace {

EulerDiscrete scheduler(PredictionType prediction, TimestepSpacing spacing, std::int64_t steps) {
  SchedulerConfig config;
  config.prediction_type = prediction;
  config.timestep_spacing = spacing;
  config.steps_offset = 1;
  return EulerDiscrete(config, steps);
}

at::Tensor stepped(const EulerDiscrete& euler, const at::Tensor& output, const at::Tensor& latents,
                   std::int64_t step) {
  SamplerRun run;
  at::Tensor next = euler.step(output, latents, step, run);
  CHECK(run.history.empty());
  return next;
}

double value(const at::Tensor& tensor) {
  return tensor.item<double>();
}

} // namespace

TEST_CASE(
    "the initial noise is scaled by the largest sigma, and by one more variance for leading") {
  const auto initial = [](TimestepSpacing spacing, std::int64_t steps) {
    return value(scheduler(PredictionType::kEpsilon, spacing, steps).begin(at::ones({1})));
  };
  CHECK(initial(TimestepSpacing::kLeading, 20) == Approx(11.073579788208008).epsilon(1e-6));
  CHECK(initial(TimestepSpacing::kLeading, 30) == Approx(11.520333).epsilon(1e-6));
  CHECK(initial(TimestepSpacing::kLeading, 50) == Approx(13.158468).epsilon(1e-6));
  CHECK(initial(TimestepSpacing::kLinspace, 20) == Approx(14.614645).epsilon(1e-6));
  CHECK(initial(TimestepSpacing::kTrailing, 1) == Approx(14.614645).epsilon(1e-6));
}

TEST_CASE("the model's input is divided by sqrt(sigma^2 + 1)") {
  const EulerDiscrete euler = scheduler(PredictionType::kEpsilon, TimestepSpacing::kLinspace, 5);
  const double sigma = euler.schedule().sigmas[2];
  const at::Tensor scaled = euler.model_input(at::full({1}, 3.0F), 2);
  CHECK(value(scaled) == Approx(3.0 / std::sqrt(sigma * sigma + 1)).epsilon(1e-6));
}

TEST_CASE("an epsilon step moves the latents along the predicted noise") {
  const EulerDiscrete euler = scheduler(PredictionType::kEpsilon, TimestepSpacing::kLinspace, 5);
  const double from = euler.schedule().sigmas[1];
  const double to = euler.schedule().sigmas[2];
  const at::Tensor next = stepped(euler, at::full({1}, 0.5F), at::full({1}, 2.0F), 1);
  CHECK(value(next) == Approx(2.0 + 0.5 * (to - from)).epsilon(1e-5));
}

TEST_CASE("the last epsilon step removes all the predicted noise") {
  const EulerDiscrete euler = scheduler(PredictionType::kEpsilon, TimestepSpacing::kLeading, 4);
  const double sigma = euler.schedule().sigmas[3];
  const at::Tensor next = stepped(euler, at::full({1}, 0.5F), at::full({1}, 2.0F), 3);
  CHECK(value(next) == Approx(2.0 - sigma * 0.5).epsilon(1e-5));
}

TEST_CASE("a v-prediction step goes by the predicted image") {
  const EulerDiscrete euler =
      scheduler(PredictionType::kVPrediction, TimestepSpacing::kLinspace, 5);
  const double from = euler.schedule().sigmas[1];
  const double to = euler.schedule().sigmas[2];
  const double image = 0.5 * (-from / std::sqrt(from * from + 1)) + 2.0 / (from * from + 1);
  const at::Tensor next = stepped(euler, at::full({1}, 0.5F), at::full({1}, 2.0F), 1);
  CHECK(value(next) == Approx(2.0 + (2.0 - image) / from * (to - from)).epsilon(1e-5));
}

TEST_CASE("a step's numbers are the step, and the next input's scale") {
  for (const auto prediction :
       {PredictionType::kEpsilon, PredictionType::kVPrediction, PredictionType::kSample}) {
    const EulerDiscrete euler = scheduler(prediction, TimestepSpacing::kLinspace, 5);
    for (const std::int64_t step : {0, 2, 4}) {
      CAPTURE(step, name_of(prediction));
      const LinearStep numbers = euler.linear_step(step).value();
      const at::Tensor next = stepped(euler, at::full({1}, 0.5F), at::full({1}, 2.0F), step);
      const float derivative = numbers.from_output * 0.5F + numbers.from_latents * 2.0F;
      CHECK(value(next) == Approx(2.0F + derivative * numbers.to_next).epsilon(1e-5));
      const at::Tensor input = step < 4 ? euler.model_input(next, step + 1) : next;
      CHECK(value(next) / static_cast<double>(numbers.next_scale) ==
            Approx(value(input)).epsilon(1e-6));
    }
  }
}

TEST_CASE("half precision latents stay in their dtype, and the sum is taken in fp32") {
  const EulerDiscrete euler = scheduler(PredictionType::kEpsilon, TimestepSpacing::kLinspace, 5);
  const at::Tensor output = at::full({1}, 0.5F).to(at::kBFloat16);
  const at::Tensor next = stepped(euler, output, at::full({1}, 2.0F).to(at::kBFloat16), 1);
  CHECK(next.scalar_type() == at::kBFloat16);
  const double exact = 2.0 + 0.5 * (static_cast<double>(euler.schedule().sigmas[2]) -
                                    static_cast<double>(euler.schedule().sigmas[1]));
  CHECK(value(next) == Approx(exact).epsilon(0.01));
}
