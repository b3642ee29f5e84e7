#include "catch.h"

#include <algorithm>
#include <cmath>

#include <ATen/ATen.h>

#include "sdbench/engine/pipeline/noise_schedule.h"

using namespace sdbench;

namespace {

SchedulerConfig with_spacing(TimestepSpacing spacing, std::int64_t offset = 0) {
  SchedulerConfig config;
  config.timestep_spacing = spacing;
  config.steps_offset = offset;
  return config;
}

void check_close(const std::vector<float>& got, const std::vector<double>& wanted,
                 double tolerance) {
  REQUIRE(got.size() == wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    CAPTURE(i);
    CHECK(static_cast<double>(got[i]) == Approx(wanted[i]).margin(tolerance).epsilon(0));
  }
}

} // namespace

TEST_CASE("the training sigmas run from 0.0292 to 14.6146") {
  const std::vector<float> sigmas = training_sigmas(SchedulerConfig{});
  REQUIRE(sigmas.size() == 1000);
  CHECK(sigmas.front() == Approx(0.029167532920837402).epsilon(1e-6));
  CHECK(sigmas.back() == Approx(14.614645004272461).epsilon(1e-6));
}

TEST_CASE("with a zero terminal SNR the last training sigma is 4096, and the first is as it was") {
  SchedulerConfig config;
  config.rescale_betas_zero_snr = true;
  const std::vector<float> sigmas = training_sigmas(config);
  CHECK(sigmas.front() == Approx(training_sigmas(SchedulerConfig{}).front()).epsilon(1e-4));
  CHECK(sigmas.back() == Approx(4096).epsilon(1e-6));
  CHECK(std::ranges::is_sorted(sigmas));
}

TEST_CASE("leading spacing of 20 steps is diffusers'") {
  const NoiseSchedule schedule =
      make_noise_schedule(with_spacing(TimestepSpacing::kLeading, 1), 20);
  std::vector<double> timesteps;
  for (int t = 951; t > 0; t -= 50) {
    timesteps.push_back(t);
  }
  check_close(schedule.timesteps, timesteps, 0);
  check_close(schedule.sigmas,
              {11.028335, 8.390687, 6.506400, 5.134433, 4.116698, 3.347764, 2.756197,
               2.292855,  1.923444, 1.623693, 1.376179, 1.168216, 0.990409, 0.835653,
               0.698399,  0.574051, 0.458333, 0.346187, 0.228147, 0.041314, 0.0},
              1e-5);
}

TEST_CASE("linspace spacing goes over the whole range in equal, fractional steps") {
  const NoiseSchedule schedule = make_noise_schedule(with_spacing(TimestepSpacing::kLinspace), 20);
  CHECK(schedule.timesteps.front() == 999.0F);
  CHECK(schedule.timesteps[1] == Approx(999.0 * 18 / 19));
  CHECK(schedule.timesteps.back() == 0.0F);
  CHECK(schedule.sigmas[0] == Approx(14.614645).epsilon(1e-6));
  CHECK(schedule.sigmas[1] == Approx(10.746849).epsilon(1e-6));
  CHECK(schedule.sigmas[2] == Approx(8.081535).epsilon(1e-6));
  CHECK(schedule.sigmas[18] == Approx(0.232168).epsilon(2e-6));
  CHECK(schedule.sigmas[19] == Approx(0.029168).epsilon(2e-5));
  CHECK(schedule.sigmas[20] == 0.0F);
}

TEST_CASE("a single linspace step stands at timestep 0, as numpy has it") {
  const NoiseSchedule schedule = make_noise_schedule(with_spacing(TimestepSpacing::kLinspace), 1);
  CHECK(schedule.timesteps == std::vector<float>{0.0F});
  CHECK(schedule.sigmas.size() == 2);
}

TEST_CASE("trailing spacing begins at the end") {
  const NoiseSchedule schedule = make_noise_schedule(with_spacing(TimestepSpacing::kTrailing), 20);
  CHECK(schedule.timesteps.front() == 999.0F);
  CHECK(schedule.timesteps[1] == 949.0F);
  CHECK(schedule.timesteps.back() == 49.0F);
}

TEST_CASE("trailing spacing has one timestep more for some step counts") {
  const auto count = [](std::int64_t steps) {
    return make_noise_schedule(with_spacing(TimestepSpacing::kTrailing), steps).timesteps.size();
  };
  CHECK(count(60) == 60);
  CHECK(count(61) == 62);
  CHECK(count(103) == 104);
}

TEST_CASE("Karras sigmas keep both ends and have their timesteps from the training schedule") {
  SchedulerConfig config = with_spacing(TimestepSpacing::kLinspace);
  config.use_karras_sigmas = true;
  const NoiseSchedule schedule = make_noise_schedule(config, 10);
  REQUIRE(schedule.timesteps.size() == 10);
  CHECK(schedule.sigmas.front() == Approx(14.614645).epsilon(1e-6));
  CHECK(schedule.sigmas[9] == Approx(0.029168).epsilon(2e-5));
  CHECK(schedule.sigmas.back() == 0.0F);
  CHECK(schedule.timesteps.front() == Approx(999.0).margin(1e-3));
  CHECK(schedule.timesteps.back() == Approx(0.0).margin(1e-3));
  // Evenly spaced in the seventh root.
  const double first = std::pow(static_cast<double>(schedule.sigmas[0]), 1.0 / 7);
  const double last = std::pow(static_cast<double>(schedule.sigmas[9]), 1.0 / 7);
  const double third = std::pow(static_cast<double>(schedule.sigmas[3]), 1.0 / 7);
  CHECK(third == Approx(first + (last - first) / 3).epsilon(1e-6));
}

TEST_CASE("a linear beta schedule has other sigmas than the scaled one") {
  SchedulerConfig config;
  config.beta_schedule = BetaSchedule::kLinear;
  const std::vector<float> sigmas = training_sigmas(config);
  CHECK(sigmas.front() == Approx(std::sqrt(0.00085 / (1 - 0.00085))).epsilon(1e-4));
}

TEST_CASE("a squared cosine of betas is diffusers', whatever beta_start and beta_end say") {
  SchedulerConfig config;
  config.beta_schedule = BetaSchedule::kSquaredCosCapV2;
  for (const double end : {0.012, 0.5}) {
    config.beta_end = end;
    const std::vector<float> sigmas = training_sigmas(config);
    REQUIRE(sigmas.size() == 1000);
    CHECK(sigmas.front() == Approx(0.006427108775824308).epsilon(1e-6));
    CHECK(sigmas[500] == Approx(1.0155508518218994).epsilon(1e-6));
    CHECK(sigmas.back() == Approx(20291.302734375).epsilon(1e-6));
  }
}
