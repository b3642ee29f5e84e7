#include "catch.h"

#include <ATen/ATen.h>
#include <c10/core/InferenceMode.h>

#include "replayed_work.h"
#include "sdbench/config/install_paths.h"
#include "sdbench/nn/synthetic_source.h"
#include "sdbench/pipeline/unet_call.h"

using namespace sdbench;

namespace {

/// One step's inputs: in all forms that a run may have them in, with values of their own.
struct StepInputs {
  UNetPrompt prompt;
  UNetMoment moment;
};

StepInputs inputs_of(const UNet2dCondition& unet, const UNetConfig& config, int seed, bool keys,
                     bool times) {
  at::manual_seed(static_cast<std::uint64_t>(seed));
  const std::int64_t rows = 2;
  const at::Tensor states = at::randn({rows, 77, config.cross_attention_dims[0]});
  StepInputs inputs;
  inputs.prompt.text = states;
  if (keys) {
    inputs.prompt.text = unet.text(states, TextForm::kKeys);
  }
  if (config.projection_class_embeddings_input_dim) {
    const std::int64_t sizes = 6 * config.addition_time_embed_dim.value();
    inputs.prompt.added =
        AddedConditioning{at::randn({rows, *config.projection_class_embeddings_input_dim - sizes}),
                          at::full({rows, 6}, seed * 8.0)};
  }
  const at::Tensor timestep = at::full({1}, 100.0 + 10 * seed);
  inputs.moment = {at::randn({1, config.in_channels, 8, 8}), timestep};
  if (times) {
    inputs.moment.time = unet.times(timestep, rows, inputs.prompt.added).front();
    inputs.prompt.added.reset();
  }
  return inputs;
}

} // namespace

TEST_CASE("a UNet's call by a graph sees every tensor that changes") {
  const c10::InferenceMode inference;
  for (const char* model : {"tiny-sd15", "tiny-sdxl"}) {
    const UNetConfig config = find_model_config(model).unet;
    SyntheticSource source(0, "unet", at::kFloat, at::kCPU);
    const UNet2dCondition unet(Weights(source), config, Attention::kAuto);
    for (const bool keys : {false, true}) {
      for (const bool times : {false, true}) {
        CAPTURE(model, keys, times);
        std::string log;
        GraphedCall graphed(std::make_unique<ReplayedWork>(log));
        const UNetCall call(unet, true, 2);
        for (int step = 0; step < 6; ++step) {
          const StepInputs inputs = inputs_of(unet, config, step, keys, times);
          const at::Tensor wanted = call(inputs.prompt, inputs.moment);
          CHECK(wanted.sizes() == at::IntArrayRef({2, config.out_channels, 8, 8}));
          CHECK(at::equal(call(inputs.prompt, inputs.moment, graphed), wanted));
          if (step == 4) {
            call.end_run(inputs.prompt, inputs.moment, graphed);
          }
        }
        CHECK(log == "wwwcrrr");
      }
    }
  }
}
