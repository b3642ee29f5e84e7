#include "catch.h"

#include <cstdint>

#include <ATen/ATen.h>

#include "host_gpu.h"
#include "sdbench/base/config/model_config.h"
#include "sdbench/engine/pipeline/denoising_step.h"
#include "sdbench/engine/pipeline/euler_discrete.h"

using namespace sdbench;

TEST_CASE("a step in one kernel is ATen's but for rounding, and the next call's input with it") {
  at::manual_seed(3);
  for (const auto prediction :
       {PredictionType::kEpsilon, PredictionType::kVPrediction, PredictionType::kSample}) {
    for (const bool guided : {false, true}) {
      CAPTURE(name_of(prediction), guided);
      SchedulerConfig config;
      config.prediction_type = prediction;
      const EulerDiscrete scheduler(config, 4);
      const Guidance guidance{guided, 7.5};
      const auto launcher = std::make_shared<HostLauncher>(at::kFloat);
      const auto kernels = std::make_shared<const GpuKernels>(launcher, at::kCPU, at::kFloat);
      const DenoisingStep by_aten(scheduler, guidance, nullptr);
      const DenoisingStep by_kernel(scheduler, guidance, kernels);
      at::Tensor latents = scheduler.begin(at::randn({2, 4, 9, 7}));
      SamplerRun run;
      for (std::int64_t step = 0; step < 4; ++step) {
        const at::Tensor output = at::randn({guided ? 4 : 2, 4, 9, 7});
        const auto [wanted, wanted_input] = by_aten(output, latents, step, run);
        const auto [next, input] = by_kernel(output, latents, step, run);
        CHECK(at::allclose(next, wanted, 1e-5, 1e-5));
        CHECK(at::allclose(input, wanted_input, 1e-5, 1e-5));
        latents = wanted;
      }
      CHECK(launcher->launched.at("linear_step") == 4);
    }
  }
}

TEST_CASE("a step whose tensors lie in different orders is ATen's") {
  const EulerDiscrete scheduler(SchedulerConfig{}, 2);
  const auto launcher = std::make_shared<HostLauncher>(at::kFloat);
  const DenoisingStep step(scheduler, {false, 1},
                           std::make_shared<const GpuKernels>(launcher, at::kCPU, at::kFloat));
  const at::Tensor latents = at::randn({1, 4, 8, 8});
  const at::Tensor output = at::randn({1, 4, 8, 8}).contiguous(at::MemoryFormat::ChannelsLast);
  SamplerRun run;
  CHECK(at::equal(step(output, latents, 0, run).latents, scheduler.step(output, latents, 0, run)));
  CHECK(launcher->launched.empty());
}
