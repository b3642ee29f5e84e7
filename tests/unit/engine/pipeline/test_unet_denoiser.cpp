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
#include "sdbench/engine/nn/layer_source.h"
#include "sdbench/engine/nn/synthetic_source.h"
#include "sdbench/engine/nn/weight_form.h"
#include "sdbench/engine/pipeline/denoiser.h"
#include "sdbench/engine/pipeline/graphed_call.h"
#include "sdbench/engine/pipeline/unet_denoiser.h"

using namespace sdbench;

namespace {

/// With the GPU kernels, which run on the host here, or ATen's alone.
UNetDenoiser tiny_unet(const UNetConfig& config, at::ScalarType dtype, bool gpu_kernels) {
  WeightForm form;
  if (gpu_kernels) {
    form.memory_format = at::MemoryFormat::ChannelsLast;
    form.gpu_kernels =
        std::make_shared<const GpuKernels>(std::make_shared<HostLauncher>(dtype), at::kCPU, dtype);
  }
  FormedSource source(std::make_unique<SyntheticSource>(0, "unet", dtype, at::kCPU), form);
  return UNetDenoiser(Weights(source), config, Attention::kAuto);
}

/// In all forms that a run may have them in, with values of their own for each `seed`.
std::shared_ptr<const DenoiserRun> prepared(const UNetDenoiser& unet, const UNetConfig& config,
                                            at::ScalarType dtype, int seed, bool keys, bool times) {
  at::manual_seed(static_cast<std::uint64_t>(seed));
  const std::int64_t rows = 2;
  Conditioning conditioning;
  conditioning.guided = true;
  conditioning.context = at::randn({rows, 77, config.cross_attention_dims[0]}).to(dtype);
  if (config.projection_class_embeddings_input_dim) {
    const std::int64_t sizes = 6 * config.addition_time_embed_dim.value();
    conditioning.pooled =
        at::randn({rows, *config.projection_class_embeddings_input_dim - sizes}).to(dtype);
    conditioning.time_ids = at::full({rows, 6}, seed * 8.0);
  }
  return unet.prepare(conditioning, at::full({1}, 100.0 + 10 * seed), {1, config.in_channels, 8, 8},
                      {.kv_cache = keys, .time_cache = times});
}

/// Each step by a graph against the same UNet's call. `wanted_log`: see ReplayedWork; each step has
/// a letter in it, and the one that is recorded two.
void check_calls_by_a_graph(const UNetDenoiser& unet, const UNetConfig& config,
                            at::ScalarType dtype, bool keys, bool times, int warm_ups,
                            const std::string& wanted_log) {
  const int steps = static_cast<int>(wanted_log.size()) - 1;
  std::string log;
  GraphedCall graphed(std::make_unique<ReplayedWork>(log), warm_ups);
  for (int step = 0; step < steps; ++step) {
    const auto run = prepared(unet, config, dtype, step, keys, times);
    const GraphedCall::Work call = [run](const GraphedCall::Tensors& kept,
                                         const GraphedCall::Tensors& changing) {
      return run->call(changing.front(), kept, {changing.begin() + 1, changing.end()});
    };
    GraphedCall::Tensors changing = run->moment(0);
    changing.insert(changing.begin(), at::randn({1, config.in_channels, 8, 8}).to(dtype));
    const at::Tensor wanted = call(run->kept(), changing);
    CHECK(wanted.sizes() == at::IntArrayRef({2, config.out_channels, 8, 8}));
    CHECK(at::equal(graphed(run->kept(), changing, call), wanted));
    if (step + 2 == steps) {
      graphed.end_run(call);
    }
  }
  CHECK(log == wanted_log);
}

} // namespace

TEST_CASE("a UNet's call by a graph sees every tensor that changes") {
  const c10::InferenceMode inference;
  for (const char* model : {"tiny-sd15", "tiny-sdxl"}) {
    const UNetConfig config = unet_of(find_model_config(model));
    const UNetDenoiser unet = tiny_unet(config, at::kFloat, false);
    for (const bool keys : {false, true}) {
      for (const bool times : {false, true}) {
        CAPTURE(model, keys, times);
        check_calls_by_a_graph(unet, config, at::kFloat, keys, times, 3, "wwwcrrr");
      }
    }
  }
}

TEST_CASE("so does one of the GPU kernels with what is computed once", "[not_sanitized]") {
  const c10::InferenceMode inference;
  const UNetConfig config = unet_of(find_model_config("tiny-sd15"));
  const UNetDenoiser unet = tiny_unet(config, at::kBFloat16, true);
  check_calls_by_a_graph(unet, config, at::kBFloat16, true, true, 1, "wcrr");
}
