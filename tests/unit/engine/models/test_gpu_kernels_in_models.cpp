// Whole models with the GPU kernels, which run on the host here (host_gpu.h).
#include "catch.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include <ATen/ATen.h>
#include <c10/core/InferenceMode.h>

#include "host_gpu.h"
#include "sdbench/base/config/install_paths.h"
#include "sdbench/base/config/model_config.h"
#include "sdbench/engine/kernels/gpu_kernels.h"
#include "sdbench/engine/models/autoencoder_kl.h"
#include "sdbench/engine/models/unet_2d_condition.h"
#include "sdbench/engine/nn/attention_kernel.h"
#include "sdbench/engine/nn/layer_source.h"
#include "sdbench/engine/nn/synthetic_source.h"
#include "sdbench/engine/nn/transformer_2d.h"
#include "sdbench/engine/nn/weight_form.h"

using namespace sdbench;

namespace {

constexpr at::MemoryFormat kPixelByPixel = at::MemoryFormat::ChannelsLast;

FormedSource weights_of(const char* component, std::shared_ptr<const GpuKernels> kernels) {
  WeightForm form;
  form.memory_format = kPixelByPixel;
  form.gpu_kernels = std::move(kernels);
  return FormedSource(std::make_unique<SyntheticSource>(0, component, at::kFloat, at::kCPU), form);
}

double relative_difference(const at::Tensor& ours, const at::Tensor& wanted) {
  return ((ours - wanted).abs().max() / wanted.abs().max()).item<double>();
}

} // namespace

TEST_CASE("a UNet with the GPU kernels computes what it computes without") {
  const c10::InferenceMode inference;
  for (const char* model : {"tiny-sd15", "tiny-sdxl"}) {
    const UNetConfig config = unet_of(find_model_config(model));
    for (const std::int64_t texts : {1, 2}) { // two texts share what comes before them
      CAPTURE(model, texts);
      at::manual_seed(1);
      const at::Tensor sample = at::randn({1, config.in_channels, 12, 8}).contiguous(kPixelByPixel);
      const at::Tensor states = at::randn({texts, 77, config.cross_attention_dims[0]});
      std::optional<AddedConditioning> added;
      if (config.projection_class_embeddings_input_dim) {
        const std::int64_t sizes = 6 * config.addition_time_embed_dim.value();
        added =
            AddedConditioning{at::randn({1, *config.projection_class_embeddings_input_dim - sizes}),
                              at::full({1, 6}, 64.0)};
      }
      const auto run = [&](const std::shared_ptr<const GpuKernels>& kernels) {
        FormedSource source = weights_of("unet", kernels);
        const UNet2dCondition unet(Weights(source), config, Attention::kAuto);
        return unet(sample, unet.times(at::full({1}, 500.0), 1, added).front(),
                    unet.text(states, TextForm::kKeys));
      };
      const auto launcher = std::make_shared<HostLauncher>(at::kFloat);
      const at::Tensor ours =
          run(std::make_shared<const GpuKernels>(launcher, at::kCPU, at::kFloat));
      CHECK(relative_difference(ours, run(nullptr)) < 1e-4); // the parity tests' bound
      // Each norm before a convolution and each transformer's; each block's feed-forward, and two
      // of its three layer norms.
      const auto& launched = launcher->launched;
      CHECK(launched.at("group_norm_factors") == launched.at("group_norm_apply"));
      CHECK(launched.at("group_norm_factors") > 2 * launched.at("geglu"));
      int sums = 0;
      for (const auto& [kernel, times] : launched) {
        sums += kernel.starts_with("add_layer_norm") ? times : 0;
      }
      CHECK(sums == 2 * launched.at("geglu"));
      CHECK(launched.at("upsample_twice") ==
            static_cast<int>(config.block_out_channels.size()) - 1);
    }
  }
}

TEST_CASE("a VAE with the GPU kernels computes what it computes without, each norm by them") {
  const c10::InferenceMode inference;
  const VaeConfig config = find_model_config("tiny-sd15").vae;
  const at::Tensor latents = at::randn({1, config.latent_channels, 6, 5}).contiguous(kPixelByPixel);
  const auto decoded = [&](const std::shared_ptr<const GpuKernels>& kernels) {
    FormedSource source = weights_of("vae", kernels);
    return AutoencoderKl(Weights(source), config).decode(latents);
  };
  const auto launcher = std::make_shared<HostLauncher>(at::kFloat);
  const at::Tensor ours =
      decoded(std::make_shared<const GpuKernels>(launcher, at::kCPU, at::kFloat));
  CHECK(relative_difference(ours, decoded(nullptr)) < 1e-4);
  // Two in each ResNet block: two in the middle, layers + 1 a level; attention's, and the last one.
  const auto levels = static_cast<int>(config.block_out_channels.size());
  const auto resnets = 2 + levels * (static_cast<int>(config.layers_per_block) + 1);
  CHECK(launcher->launched.at("group_norm_apply") == 2 * resnets + 2);
  CHECK(launcher->launched.at("upsample_twice") == levels - 1);
}
