#include "catch.h"

#include <cstdint>
#include <memory>
#include <string>

#include <ATen/ATen.h>
#include <c10/core/InferenceMode.h>

#include "host_gpu.h"
#include "replayed_work.h"
#include "sdbench/base/config/install_paths.h"
#include "sdbench/base/config/model_config.h"
#include "sdbench/engine/kernels/gpu_kernels.h"
#include "sdbench/engine/nn/attention_kernel.h"
#include "sdbench/engine/nn/formed_source.h"
#include "sdbench/engine/nn/synthetic_source.h"
#include "sdbench/engine/nn/transformer_2d.h"
#include "sdbench/engine/nn/weight_source.h"
#include "sdbench/engine/pipeline/unet_call.h"

using namespace sdbench;

namespace {

/// One step's inputs: in all forms that a run may have them in, with values of their own.
struct StepInputs {
  UNetPrompt prompt;
  UNetMoment moment;
};

/// With the GPU kernels, which run on the host here, or ATen's alone.
UNet2dCondition tiny_unet(const UNetConfig& config, at::ScalarType dtype, bool gpu_kernels) {
  WeightForm form;
  if (gpu_kernels) {
    form.memory_format = at::MemoryFormat::ChannelsLast;
    form.gpu_kernels =
        std::make_shared<const GpuKernels>(std::make_shared<HostLauncher>(dtype), at::kCPU, dtype);
  }
  FormedSource source(std::make_unique<SyntheticSource>(0, "unet", dtype, at::kCPU), form);
  return UNet2dCondition(Weights(source), config, Attention::kAuto);
}

StepInputs inputs_of(const UNet2dCondition& unet, const UNetConfig& config, at::ScalarType dtype,
                     int seed, bool keys, bool times) {
  at::manual_seed(static_cast<std::uint64_t>(seed));
  const std::int64_t rows = 2;
  const at::Tensor states = at::randn({rows, 77, config.cross_attention_dims[0]}).to(dtype);
  StepInputs inputs;
  inputs.prompt.text = states;
  if (keys) {
    inputs.prompt.text = unet.text(states, TextForm::kKeys);
  }
  if (config.projection_class_embeddings_input_dim) {
    const std::int64_t sizes = 6 * config.addition_time_embed_dim.value();
    inputs.prompt.added = AddedConditioning{
        at::randn({rows, *config.projection_class_embeddings_input_dim - sizes}).to(dtype),
        at::full({rows, 6}, seed * 8.0)};
  }
  const at::Tensor timestep = at::full({1}, 100.0 + 10 * seed);
  inputs.moment = {at::randn({1, config.in_channels, 8, 8}).to(dtype), timestep};
  if (times) {
    inputs.moment.time = unet.times(timestep, rows, inputs.prompt.added).front();
    inputs.prompt.added.reset();
  }
  return inputs;
}

/// Each step by a graph against the same UNet's call. `wanted_log`: see ReplayedWork; each step has
/// a letter in it, and the one that is recorded two.
void check_calls_by_a_graph(const UNet2dCondition& unet, const UNetConfig& config,
                            at::ScalarType dtype, bool keys, bool times, int warm_ups,
                            const std::string& wanted_log) {
  const int steps = static_cast<int>(wanted_log.size()) - 1;
  std::string log;
  GraphedCall graphed(std::make_unique<ReplayedWork>(log), warm_ups);
  const UNetCall call(unet, true, 2);
  for (int step = 0; step < steps; ++step) {
    const StepInputs inputs = inputs_of(unet, config, dtype, step, keys, times);
    const at::Tensor wanted = call(inputs.prompt, inputs.moment);
    CHECK(wanted.sizes() == at::IntArrayRef({2, config.out_channels, 8, 8}));
    CHECK(at::equal(call(inputs.prompt, inputs.moment, graphed), wanted));
    if (step + 2 == steps) {
      call.end_run(inputs.prompt, inputs.moment, graphed);
    }
  }
  CHECK(log == wanted_log);
}

} // namespace

TEST_CASE("a UNet's call by a graph sees every tensor that changes") {
  const c10::InferenceMode inference;
  for (const char* model : {"tiny-sd15", "tiny-sdxl"}) {
    const UNetConfig config = find_model_config(model).unet;
    const UNet2dCondition unet = tiny_unet(config, at::kFloat, false);
    for (const bool keys : {false, true}) {
      for (const bool times : {false, true}) {
        CAPTURE(model, keys, times);
        check_calls_by_a_graph(unet, config, at::kFloat, keys, times, 3, "wwwcrrr");
      }
    }
  }
}

TEST_CASE("so does one of the GPU kernels with what is computed once") {
  const c10::InferenceMode inference;
  const UNetConfig config = find_model_config("tiny-sd15").unet;
  const UNet2dCondition unet = tiny_unet(config, at::kBFloat16, true);
  check_calls_by_a_graph(unet, config, at::kBFloat16, true, true, 1, "wcrr");
}
